import { createHash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { GrantBook } from "../src/grants/grant-book.ts";
import { ECHO, HELLO, ToolDesk } from "./desk/tool-desk.ts";

const OTHER = "agent:main:grove:dm:2";

describe("attack 19: the door of the tools", () => {
  test("a guessed bearer, none, and one in the address are refused before a body is read", async () => {
    const desk = await ToolDesk.open();
    const { bearer } = desk.given;
    const tries = [
      desk.post(HELLO, {}),
      desk.post(HELLO, { authorization: `Bearer ${bearer.slice(0, -1)}` }),
      desk.post(HELLO, { authorization: `Bearer ${bearer}x` }),
      desk.post(HELLO, { authorization: `Basic ${bearer}` }),
      desk.post(HELLO, { authorization: bearer }),
      desk.post(HELLO, {}, `?token=${bearer}`),
      desk.post(HELLO, {}, `/${bearer}`),
    ];
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401]);
    const carried = await desk.post(HELLO, { authorization: `Bearer ${bearer}` }, `?token=${bearer}`);
    expect(carried.status).toBe(404);
  });

  test("a client is told how to authenticate, and whether what it sent was wrong", async () => {
    const desk = await ToolDesk.open();
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (await desk.post(HELLO, headers)).headers.get("www-authenticate");
    expect(await ask({})).toBe('Bearer realm="banyan"');
    expect(await ask({ authorization: "Basic eDp5" })).toBe('Bearer realm="banyan"');
    expect(await ask({ authorization: "Bearer guess" })).toBe('Bearer realm="banyan", error="invalid_token"');
    expect(await ask({ authorization: `Bearer ${desk.given.bearer}` })).toBeNull();
  });

  test("a bearer has 256 bits, and nothing that the door keeps holds it", async () => {
    const desk = await ToolDesk.open();
    const { bearer, grant } = desk.given;
    await desk.hello();
    desk.begin();
    const random = /^banyan-secret-([\w-]{43})$/.exec(bearer)?.[1] ?? "";
    expect(Buffer.from(random, "base64url")).toHaveLength(32);
    expect(grant.digest).toEqual(createHash("sha256").update(bearer).digest());
    const book = new GrantBook();
    const given = book.give(OTHER, [ECHO]);
    const shown = inspect([grant, desk.server, given.grant, book], { depth: null, showHidden: true });
    for (const secret of [bearer, given.bearer]) expect(shown).not.toContain(secret);
    expect(book.find(given.bearer)).toBe(given.grant);
  });

  test("a bearer is worth nothing once it is revoked, or another was given for its conversation", async () => {
    const desk = await ToolDesk.open();
    const connection = await desk.hello();
    desk.begin();
    const next = desk.server.give("agent:main:grove:dm:1", [ECHO]);
    expect(next.bearer).not.toBe(desk.given.bearer);
    // Also for a request that was let in just before.
    expect([desk.grant.isRevoked, desk.grant.knows(connection), desk.grant.tools]).toEqual([true, false, []]);
    expect(await desk.call(1, "x", connection)).toMatch(/bearer is missing, wrong or revoked/);
    expect((await desk.post(HELLO, { authorization: `Bearer ${next.bearer}` })).status).toBe(200);
    next.grant.revoke();
    expect((await desk.post(HELLO, { authorization: `Bearer ${next.bearer}` })).status).toBe(401);
    expect(desk.calls).toEqual([]);
  });

  test("another conversation's bearer reaches that conversation alone, also with a connection of this one", async () => {
    const desk = await ToolDesk.open();
    const other = desk.server.give(OTHER, [ECHO]);
    const connection = await desk.hello();
    desk.begin();
    expect(await desk.call(1, "x", connection, other.bearer)).toMatch(/this connection is over/);
    const own = await desk.hello(other.bearer);
    expect(await desk.call(1, "x", own, other.bearer)).toMatch(/no turn of this conversation is at work/);
    expect(desk.calls).toEqual([]);
  });

  test("a foreign host name, a page's origin, and other methods are refused", async () => {
    const desk = await ToolDesk.open();
    const authorization = `Bearer ${desk.given.bearer}`;
    const { port } = new URL(desk.server.url);
    const knock = async (headers: Readonly<Record<string, string>>, method = "POST") => {
      const knocking = request(desk.server.url, { method, headers: { authorization, ...headers } });
      const answered = once(knocking, "response");
      knocking.end();
      const [answer] = await answered;
      answer.resume();
      return answer.headers.allow ?? answer.statusCode;
    };
    expect(await knock({ host: `evil.example:${port}` })).toBe(403);
    expect(await knock({ host: `localhost.evil.example:${port}` })).toBe(403);
    expect(await knock({ origin: "https://evil.example" })).toBe(403);
    expect(await knock({ origin: `http://127.0.0.1:${port}` })).toBe(403);
    expect(await knock({ origin: "null" })).toBe(403);
    for (const method of ["GET", "DELETE"]) expect(await knock({}, method)).toBe("POST");
    expect((await fetch(desk.server.url, { headers: { authorization } })).status).toBe(405);
  });

  test("nobody beyond this machine can knock", async () => {
    const desk = await ToolDesk.open();
    const { hostname, port } = new URL(desk.server.url);
    expect(hostname).toBe("127.0.0.1");
    const outer = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of outer) await expect(fetch(`http://${address}:${port}/mcp`)).rejects.toThrow();
  });

  test("a tool outside the grant is neither seen nor called, and one that was taken away is not either", async () => {
    const desk = await ToolDesk.open();
    const client = await desk.connect();
    desk.begin();
    await expect(client.callTool({ name: "exec", arguments: {} })).rejects.toThrow(/you have none of this name/);
    desk.grant.begin({ call: async () => ({ text: "done", isError: false }) }, []);
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.callTool({ name: "echo", arguments: { text: "x" } })).rejects.toThrow(/none of this name/);
    expect(desk.calls).toEqual([]);
  });

  test("a call before a turn, after it, and a request of an earlier turn that is played again have no effect", async () => {
    const desk = await ToolDesk.open();
    const connection = await desk.hello();
    expect(await desk.call(1, "x", connection)).toMatch(/no turn of this conversation is at work/);
    const end = desk.begin();
    await desk.call(2, "x", connection);
    end();
    expect(await desk.call(3, "x", connection)).toMatch(/no turn of this conversation is at work/);
    desk.begin();
    expect(await desk.call(2, "x", connection)).toMatch(/this request was made in an earlier turn/);
    expect(desk.calls).toHaveLength(1);
    // The end of an earlier turn, told late, ends no later one.
    end();
    await desk.call(4, "x", connection);
    expect(desk.calls).toHaveLength(2);
  });
});
