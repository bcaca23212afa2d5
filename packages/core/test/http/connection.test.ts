import { describe, expect, it } from "vitest";
import { failureOf, openPlatform, openSockets, openTransport } from "./wire-platform.ts";

describe("a connection", () => {
  it("that the other side ended while it stood idle is not used again", async () => {
    const ended = Promise.withResolvers<void>();
    const url = await openSockets((socket) => {
      socket.on("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        socket.end();
      });
      // Behind the other side's end, too: it has seen this one.
      socket.once("close", () => ended.resolve());
    });
    const { fetch } = openTransport();
    expect(await (await fetch(url)).text()).toBe("ok");
    await ended.promise;
    expect(await (await fetch(url)).text()).toBe("ok");
  });

  it("carries one call after the other, each with its own answer", async () => {
    const url = await openPlatform((request, answer) => answer.end(request.url));
    const { fetch } = openTransport();
    const paths = Array.from({ length: 1_500 }, (_, call) => `/${call}`);
    const answers = await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()));
    expect(answers).toEqual(paths);
  });

  it("with a cancelled call is given up, and its answer is nobody else's", async () => {
    const late: (() => void)[] = [];
    const url = await openPlatform((request, answer) => {
      if (request.url !== "/slow") answer.end(request.url);
      else late.push(() => answer.end("late"));
    });
    const transport = openTransport();
    await transport.fetch(`${url}/first`);
    const controller = new AbortController();
    const slow = failureOf(`${url}/slow`, { signal: controller.signal }, transport);
    while (late.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await slow).sent).toBe(true);
    for (const answer of late) answer();
    expect(await (await transport.fetch(`${url}/next`)).text()).toBe("/next");
  });

  it("ends with the transport, and so does the call on it", async () => {
    const transport = openTransport();
    const url = await openPlatform(() => transport.close());
    expect(await failureOf(url, {}, transport)).toMatchObject({
      sent: true,
      message: expect.stringContaining("the client was closed"),
    });
  });

  it("takes nothing that would write a request of its own into it", async () => {
    const url = await openPlatform((_request, answer) => void answer.end());
    const headers = { "x-kind": "a\r\n\r\nPOST /" };
    expect((await failureOf(url, { headers })).sent).toBe(false);
  });
});
