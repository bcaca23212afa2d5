import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/http/guard.ts";

const TOKEN = "operator-token";
const guard = createGuard(TOKEN, ["garden.local"], () => 4711);

function request(headers: Record<string, string>): Request {
  return new Request("http://127.0.0.1:4711/", { headers });
}

describe("attack 31: Host and Origin", () => {
  it.each([
    "127.0.0.1",
    "127.0.0.1:4711",
    "localhost:4711",
    "LOCALHOST:4711",
    "[::1]:4711",
    "garden.local",
    "garden.local:4711",
  ])("%s is ours", (host) => {
    expect(guard.isOurs(request({ host }))).toBe(true);
    expect(guard.isOurs(request({ host, origin: "http://localhost:4711" }))).toBe(true);
    expect(guard.isOurs(request({ host, origin: "https://garden.local" }))).toBe(true);
  });

  it.each([
    ["another port", "localhost:4712"],
    ["a name rebound to loopback", "evil.example"],
    ["a name rebound to loopback, with our port", "evil.example:4711"],
    ["a name that ends like ours", "evil-localhost:4711"],
    ["a name that begins like ours", "localhost.evil.example:4711"],
    ["another loopback address", "127.0.0.2:4711"],
    ["a number that means loopback", "2130706433:4711"],
    ["any address", "0.0.0.0:4711"],
    ["nothing", ""],
  ])("%s is not ours", (_name, host) => {
    expect(guard.isOurs(request({ host }))).toBe(false);
  });

  it("a request without a host is not ours", () => {
    expect(guard.isOurs(new Request("http://127.0.0.1:4711/"))).toBe(false);
  });

  it.each([
    "http://evil.example",
    "http://localhost:4712",
    "http://localhost:4711.evil.example",
    "http://localhost:4711/path",
    "null",
    "",
    "file://localhost:4711",
    "ftp://localhost",
  ])("a page of %j may not call, whatever the host says", (origin) => {
    expect(guard.isOurs(request({ host: "localhost:4711", origin }))).toBe(false);
  });
});

describe("attack 31: the bearer", () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER ${TOKEN}`])("%s is the operator", (authorization) => {
    expect(guard.isOperator(request({ authorization }))).toBe(true);
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer x ${TOKEN}`,
    `Bearer ${TOKEN} x`,
    `Basic ${TOKEN}`,
    TOKEN,
  ])("%j is not", (authorization) => {
    expect(guard.isOperator(request({ authorization }))).toBe(false);
  });

  it("no header is not", () => {
    expect(guard.isOperator(new Request("http://127.0.0.1/"))).toBe(false);
  });
});
