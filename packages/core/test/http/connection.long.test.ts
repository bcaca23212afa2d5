import { describe, expect, it, onTestFinished, vi } from "vitest";
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

  it("that was answered before its request was wholly written is not used again", async () => {
    let connections = 0;
    const url = await openSockets((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      socket.once("data", () => {
        if (isFirst) socket.pause();
        socket.write(`HTTP/1.1 ${isFirst ? "413 Too Large" : "200 OK"}\r\nContent-Length: 2\r\n\r\nok`);
      });
    });
    const { fetch } = openTransport();
    const large = await fetch(url, { method: "POST", body: "x".repeat(30_000_000) });
    expect([large.status, await large.text()]).toEqual([413, "ok"]);
    expect((await fetch(url, { method: "POST", body: "small", timeoutMs: 2_000 })).status).toBe(200);
    expect(connections).toBe(2);
  });

  it("is used again after a large request that was wholly written", async () => {
    const ports = new Set<number | undefined>();
    const url = await openPlatform((request, answer) => {
      ports.add(request.socket.remotePort);
      request.on("end", () => answer.end("ok")).resume();
    });
    const { fetch } = openTransport();
    for (const body of ["x".repeat(5_000_000), new Uint8Array(5_000_000), "", new Uint8Array(0)])
      expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    expect(ports.size).toBe(1);
  });

  it("is not used for longer than the other side says", async () => {
    let connections = 0;
    const url = await openSockets((socket) => {
      connections += 1;
      socket.on("data", () => socket.write("HTTP/1.1 204 Gone\r\nKeep-Alive: timeout=1, max=9\r\n\r\n"));
    });
    const { fetch } = openTransport();
    for (let call = 0; call < 3; call += 1) await fetch(url);
    expect(connections).toBe(3);
  });

  it("that stands idle is closed within a minute", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = Promise.withResolvers<void>();
    const url = await openSockets((socket) => {
      socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
      socket.once("close", () => ended.resolve());
    });
    expect(await (await openTransport().fetch(url)).text()).toBe("ok");
    vi.advanceTimersByTime(60_000);
    await ended.promise;
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

  it("ends with the transport, also in the middle of an answer", async () => {
    const transport = openTransport();
    const half = Promise.withResolvers<void>();
    const url = await openSockets((socket) => {
      const text = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf";
      socket.once("data", () => void socket.write(text, () => half.resolve()));
    });
    const call = failureOf(url, {}, transport);
    await half.promise;
    // What has left the one end of loopback is read at the other in the next turn of the loop.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    transport.close();
    expect((await call).message).toContain("the client was closed");
  });

  it("takes nothing that would write a request of its own into it", async () => {
    const url = await openPlatform((_request, answer) => void answer.end());
    const headers = { "x-kind": "a\r\n\r\nPOST /" };
    expect((await failureOf(url, { headers })).sent).toBe(false);
  });
});
