import { createServer as createRawServer } from "node:net";
import { describe, expect, it } from "vitest";
import { failureOf, listen, openPlatform, openSockets, openTransport } from "./wire-platform.ts";

const PATH = "/bot4711:TOKEN/send?key=SECRET";

describe("an answer", () => {
  it("comes whole, with status and headers, and can be read more than once", async () => {
    const url = await openPlatform((request, answer) => {
      answer.writeHead(418, { "X-Kind": "pot", "Set-Cookie": ["a=1", "b=2"] });
      request.pipe(answer);
    });
    const answer = await openTransport().fetch(url, { method: "POST", body: '{"grün":true}' });
    expect([answer.status, answer.ok]).toEqual([418, false]);
    expect([answer.headers.get("x-kind"), answer.headers.get("X-KIND"), answer.headers.get("none")]).toEqual([
      "pot",
      "pot",
      null,
    ]);
    expect(answer.headers.get("set-cookie")).toBe("a=1, b=2");
    expect(await answer.text()).toBe('{"grün":true}');
    expect(await answer.json()).toEqual({ grün: true });
    expect(new TextDecoder().decode(await answer.bytes())).toBe('{"grün":true}');
  });

  it("is ok from 200 to 299, and redirects are not followed", async () => {
    const url = await openPlatform((request, answer) => {
      answer.writeHead(Number(request.url?.slice(1)), { location: "/200" }).end();
    });
    const { fetch } = openTransport();
    const statuses = [200, 204, 299, 301, 304, 404, 500, 999];
    const answers = await Promise.all(statuses.map(async (status) => fetch(`${url}/${status}`)));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers.map(({ ok }) => ok)).toEqual(statuses.map((status) => status < 300));
  });

  it("gets method, headers, length and path as they were given", async () => {
    const url = await openPlatform((request, answer) => {
      const { authorization, "content-length": length } = request.headers;
      answer.end(JSON.stringify([request.method, request.url, authorization, length]));
    });
    const headers = { authorization: "Bearer x" };
    const answer = await openTransport().fetch(`${url}${PATH}#part`, {
      method: "PUT",
      headers,
      body: new Uint8Array([1, 2]),
    });
    expect(await answer.json()).toEqual(["PUT", PATH, "Bearer x", "2"]);
  });

  it("comes over connections that are kept", async () => {
    const ports = new Set<number | undefined>();
    const url = await openPlatform((request, answer) => {
      ports.add(request.socket.remotePort);
      answer.end("ok");
    });
    const { fetch } = openTransport();
    for (let call = 0; call < 5; call += 1) await fetch(url);
    expect(ports.size).toBe(1);
  });
});

describe("what was certainly not sent", () => {
  it("a refused connection", async () => {
    const server = createRawServer();
    const url = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(url + PATH);
    expect(error).toMatchObject({
      sent: false,
      message: `${new URL(url).host} was called: the connection failed (ECONNREFUSED)`,
    });
  });

  it("a name that is none", async () => {
    expect((await failureOf(`http://no..name${PATH}`)).sent).toBe(false);
  });

  it.each([`ftp://host${PATH}`, `file://${PATH}`, `unix:/tmp${PATH}`, `not a url ${PATH}`, ""])("%s", async (url) => {
    expect((await failureOf(url)).sent).toBe(false);
  });

  it("a call that was cancelled before it began", async () => {
    let calls = 0;
    const url = await openPlatform((_request, answer) => {
      calls += 1;
      answer.end();
    });
    expect((await failureOf(url + PATH, { signal: AbortSignal.abort() })).sent).toBe(false);
    expect(calls).toBe(0);
  });

  it("a call after the transport was closed, to a known host and to a new one", async () => {
    let calls = 0;
    const open = () =>
      openPlatform((_request, answer) => {
        calls += 1;
        answer.end("ok");
      });
    const known = await open();
    const transport = openTransport();
    await transport.fetch(known);
    transport.close();
    for (const url of [known, await open()]) {
      expect(await failureOf(url + PATH, {}, transport)).toMatchObject({
        sent: false,
        message: `${new URL(url).host} was called: the client was closed before; end such work with the account's signal`,
      });
    }
    expect(calls).toBe(1);
  });

  it("a TLS connection that did not come about", async () => {
    const url = await openSockets((socket) => void socket.once("data", () => socket.destroy()));
    expect((await failureOf(url.replace("http:", "https:") + PATH)).sent).toBe(false);
  });
});

describe("what may have been sent", () => {
  it("a connection that is reset after the request", async () => {
    const url = await openSockets((socket) => void socket.once("data", () => socket.resetAndDestroy()));
    const error = await failureOf(url + PATH, { method: "POST", body: "hello" });
    expect(error.sent).toBe(true);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ was called: the connection failed/);
  });

  it("a connection that is lost in the middle of the answer", async () => {
    const url = await openSockets((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
    });
    const error = await failureOf(url + PATH);
    expect(error).toMatchObject({ sent: true, message: expect.stringContaining("lost in the middle of the answer") });
  });

  it("an answer that is none", async () => {
    const url = await openSockets((socket) => void socket.once("data", () => socket.end("SSH-2.0 hello\r\n\r\n")));
    expect((await failureOf(url + PATH)).sent).toBe(true);
  });

  it("a kept connection that died", async () => {
    const url = await openSockets((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        socket.once("data", () => socket.resetAndDestroy());
      });
    });
    const transport = openTransport();
    expect((await transport.fetch(url)).status).toBe(200);
    expect((await failureOf(url + PATH, {}, transport)).sent).toBe(true);
  });

  it("an answer over the limit, by its bytes and not by what it says of itself", async () => {
    const url = await openPlatform((_request, answer) => {
      answer.write("x".repeat(600));
      answer.end("x".repeat(401));
    });
    const error = await failureOf(url + PATH, { limitBytes: 1_000 });
    expect(error).toMatchObject({ sent: true, message: expect.stringContaining("over 1000 bytes") });
    expect((await (await openTransport().fetch(url, { limitBytes: 1_001 })).bytes()).byteLength).toBe(1_001);
  });

  it("a call that is cancelled under way, and the signal is left alone afterwards", async () => {
    const controller = new AbortController();
    const url = await openPlatform(() => controller.abort());
    expect(await failureOf(url + PATH, { signal: controller.signal })).toMatchObject({
      sent: true,
      message: expect.stringContaining("the call was cancelled"),
    });
  });
});

describe("the time limit", () => {
  it("ends a call that gets no answer", async () => {
    const url = await openSockets(() => undefined);
    const error = await failureOf(url + PATH, { timeoutMs: 200 });
    expect(error).toMatchObject({ sent: true, message: expect.stringContaining("no answer within 200 ms") });
  });

  it("bounds the whole call, also when the answer never stops dripping", async () => {
    const url = await openSockets((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n");
        const drip = () => {
          if (socket.destroyed) return;
          socket.write("x");
          setImmediate(drip);
        };
        drip();
      });
    });
    expect((await failureOf(url + PATH, { timeoutMs: 100 })).message).toContain("no answer within 100 ms");
  });

  it("holds nothing back when the answer came in time", async () => {
    const url = await openPlatform((_request, answer) => void answer.end("ok"));
    const controller = new AbortController();
    const answer = await openTransport().fetch(url, { timeoutMs: 60_000, signal: controller.signal });
    controller.abort();
    expect(await answer.text()).toBe("ok");
  });
});

it("the smallest chunks take about what they hold", async () => {
  const chunks = Buffer.from("1\r\na\r\n".repeat(100_000));
  const url = await openSockets((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (let time = 0; time < 10; time += 1) socket.write(chunks);
      socket.write("0\r\n\r\n");
    });
  });
  const { fetch } = openTransport();
  const before = process.memoryUsage().heapUsed;
  const answer = await fetch(url);
  // Each as an object of its own took 200 bytes; the rest is what the collector has not come to.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(80_000_000);
  expect((await answer.bytes()).byteLength).toBe(1_000_000);
});
