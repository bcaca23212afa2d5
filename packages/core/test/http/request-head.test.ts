import { expect, it } from "vitest";
import { formatRequestHead } from "../../src/http/request-head.ts";

const url = new URL("http://Host.example:8080/a b?c=\u00e4#part");

it("writes the line, the host, the fields as given and the length", () => {
  const head = formatRequestHead(url, { method: "POST", headers: { "X-Kind": "pot" }, body: "grün" });
  expect(head).toBe(
    "POST /a%20b?c=%C3%A4 HTTP/1.1\r\nHost: host.example:8080\r\nX-Kind: pot\r\nContent-Length: 5\r\n\r\n",
  );
});

it.each([
  ["GET", undefined],
  ["HEAD", undefined],
  ["POST", "Content-Length: 0"],
  ["DELETE", "Content-Length: 0"],
])("%s without a body says %s of its length", (method, said) => {
  const lines = formatRequestHead(url, { method })?.split("\r\n") ?? [];
  expect(lines.find((line) => line.startsWith("Content-Length"))).toBe(said);
});

it.each(["Host", "content-length", "TRANSFER-ENCODING"])("%s is the client's own matter", (name) => {
  expect(formatRequestHead(url, { method: "GET", headers: { [name]: "1" } })).not.toContain(`${name}: 1`);
});

it.each([
  ["a value with a line end", { a: "b\r\nc: d" }],
  ["a value with a letter of two bytes", { a: "grün" }],
  ["a name with a space", { "a b": "c" }],
  ["an empty name", { "": "c" }],
])("%s is refused", (_name, headers) => {
  expect(formatRequestHead(url, { method: "GET", headers })).toBeUndefined();
});

it.each(["get", "GET /\r\nX:", ""])("the method %j is refused", (method) => {
  expect(formatRequestHead(url, { method })).toBeUndefined();
});
