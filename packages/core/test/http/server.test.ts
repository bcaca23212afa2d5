import { request } from "node:http";
import { StoreError } from "@banyan/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { openServer, type Server, type ServerOptions } from "../../src/http/server.ts";
import { createTestPorts, type TestPorts } from "../ports/test-ports.ts";

const TOKEN = "operator-token";

interface Opened {
  readonly server: Server;
  readonly ports: TestPorts;
  /** Status and text of an answer. */
  get(path: string, headers?: Record<string, string>, method?: string): Promise<readonly [number, string]>;
}

async function open(options: Partial<ServerOptions> = {}): Promise<Opened> {
  const ports = createTestPorts();
  const health = () => ({ status: "ok" });
  const server = await openServer({ host: "127.0.0.1", port: 0, token: TOKEN, log: ports.log, health, ...options });
  onTestFinished(() => server.close());
  // Node's own client, because `fetch` sets `Host` itself.
  const get: Opened["get"] = (path, headers = {}, method = "GET") =>
    new Promise((resolve, reject) => {
      const call = request({ port: server.port, host: "127.0.0.1", path, method, headers, agent: false });
      call.on("error", reject);
      call.on("response", async (answer) => {
        answer.setEncoding("utf8");
        resolve([answer.statusCode ?? 0, (await answer.toArray()).join("")]);
      });
      call.end();
    });
  return { server, ports, get };
}

const says = (text: string) => async () => new Response(text);
const BEARER = { authorization: `Bearer ${TOKEN}` };

describe("mounts", () => {
  it("serve a path and all below it, and nothing that only begins alike; the longest path wins", async () => {
    const { server, get } = await open();
    server.mount("/chat", says("chat"), "open");
    server.mount("/chat/api", says("api"), "open");
    expect(await get("/chat")).toEqual([200, "chat"]);
    expect(await get("/chat/")).toEqual([200, "chat"]);
    expect(await get("/chat/a/b?c=d")).toEqual([200, "chat"]);
    expect(await get("/chat/api")).toEqual([200, "api"]);
    expect(await get("/chat/api/x")).toEqual([200, "api"]);
    expect(await get("/chat/apis")).toEqual([200, "chat"]);
    expect((await get("/chats"))[0]).toBe(404);
    expect((await get("/"))[0]).toBe(404);
  });

  it("at the root serve the root alone", async () => {
    const { server, get } = await open();
    server.mount("/", says("home"), "open");
    expect(await get("/")).toEqual([200, "home"]);
    expect(await get("/other")).toEqual([404, '{"error":"Nothing is served at /other"}']);
  });

  it.each(["starting", "stopping"])("that are absent while the gateway is %s may come: try again", async (status) => {
    const { server, get } = await open({ health: () => ({ status }) });
    expect(await get("/chat")).toEqual([503, `{"error":"The gateway is ${status}; try again"}`]);
    server.mount("/chat", says("chat"), "open");
    expect(await get("/chat")).toEqual([200, "chat"]);
  });

  it("whose request meets a closed store answer that the gateway is stopping, which is no failure to log", async () => {
    const { server, ports, get } = await open();
    const serve = () => Promise.reject(new StoreError("closed", "using the store: it was closed; open it again"));
    server.mount("/chat", serve, "open");
    expect(await get("/chat")).toEqual([503, '{"error":"The gateway is stopping; try again"}']);
    expect(ports.logged).toEqual([]);
  });

  it("are gone when they are disposed of", async () => {
    const { server, get } = await open();
    const dispose = server.mount("/hook", says("new"), "open");
    dispose();
    expect((await get("/hook"))[0]).toBe(404);
  });

  it("of the operator let nobody in without the bearer, and are not even asked", async () => {
    const { server, get } = await open();
    let asked = 0;
    const serve = async () => {
      asked += 1;
      return new Response("secret");
    };
    server.mount("/admin", serve, "operator");
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${TOKEN}` }]) {
      expect((await get("/admin/x", headers))[0]).toBe(401);
    }
    const refused = await fetch(`${server.url}/admin/x`);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="banyan"');
    expect(asked).toBe(0);
    expect(await get("/admin/x", BEARER)).toEqual([200, "secret"]);
  });

  it("cannot be reached around their check by another spelling of the path", async () => {
    const { server, get } = await open();
    server.mount("/", says("home"), "open");
    server.mount("/hook", says("hook"), "open");
    server.mount("/admin", says("secret"), "operator");
    for (const path of [
      "/hook/../admin",
      "/hook/%2e%2e/admin",
      "//admin",
      "/ADMIN",
      "/%61dmin",
      "/admin/",
      "/hook/..%2fadmin",
    ]) {
      expect((await get(path))[1], path).not.toBe("secret");
    }
  });

  it("that throw answer 500 without a word of why; the log has it", async () => {
    const { server, ports, get } = await open();
    const fails = async () => {
      throw new Error("the token is 4711");
    };
    server.mount("/bad", fails, "open");
    const [status, text] = await get("/bad");
    expect(status).toBe(500);
    expect(text).not.toContain("4711");
    expect(ports.logged).toMatchObject([{ level: "error", fields: { path: "/bad" } }]);
  });
});

describe("a stranger's page", () => {
  it.each([
    ["another host", { host: "evil.example" }],
    ["our host, another page", { origin: "http://evil.example" }],
  ])("%s gets nothing, not even with the bearer", async (_name, headers) => {
    const { server, get } = await open();
    let asked = 0;
    const serve = async () => {
      asked += 1;
      return new Response("x");
    };
    server.mount("/hook", serve, "open");
    for (const path of ["/hook", "/healthz", "/nowhere"]) {
      expect(await get(path, { ...headers, ...BEARER })).toEqual([
        403,
        '{"error":"This server answers to its own address only"}',
      ]);
    }
    expect(asked).toBe(0);
  });
});

describe("healthz", () => {
  it.each([
    ["ok", 200],
    ["starting", 503],
    ["stopping", 503],
  ])("says %s with %i", async (status, code) => {
    const { get } = await open({ health: () => ({ status }) });
    expect(await get("/healthz")).toEqual([code, JSON.stringify({ status })]);
  });
});

describe("opening", () => {
  it("on a port that is taken says so and what to do", async () => {
    const { server } = await open();
    await expect(open({ port: server.port })).rejects.toMatchObject({
      code: "port_taken",
      message: `Port ${server.port} is already in use; stop the other program, or choose another port with BANYAN_PORT or server.port`,
    });
  });

  it("on an address of another machine says which setting is wrong", async () => {
    await expect(open({ host: "192.0.2.1" })).rejects.toMatchObject({
      code: "address_unusable",
      message: expect.stringContaining("correct server.host"),
    });
  });

  it("on an IPv6 address gives a URL that works", async () => {
    const { server } = await open({ host: "::1" });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it("two servers in one process know nothing of each other", async () => {
    const [first, second] = [await open(), await open()];
    first.server.mount("/a", says("a"), "open");
    expect((await second.get("/a"))[0]).toBe(404);
  });

  it("ends with open connections", async () => {
    const { server, get } = await open();
    const reached = Promise.withResolvers<void>();
    const hangs = () => {
      reached.resolve();
      return new Promise<Response>(() => undefined);
    };
    server.mount("/slow", hangs, "open");
    const call = get("/slow").catch(() => "cut off");
    await reached.promise;
    await server.close();
    expect(await call).toBe("cut off");
  });
});
