import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { connectDiscordEmulator } from "../src/index.ts";
import { identify, openGateway, resume } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { pick } from "./pick.ts";
import { AGENT, createRestClient } from "./rest-client.ts";

const PROGRAM = new URL("../src/bin.ts", import.meta.url).pathname;

async function start(): Promise<{ child: ChildProcess; url: string; controlUrl: string }> {
  const child = spawn(process.execPath, [PROGRAM, "--record=calls"], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const ready: unknown = JSON.parse(String(line));
  return { child, url: String(pick(ready, "url")), controlUrl: String(pick(ready, "controlUrl")) };
}

it("prints its addresses in one line, lives on when a gateway dies, and another process resumes its session", async () => {
  const { child, url, controlUrl } = await start();
  expect(controlUrl).toBe(url.replace("/api", "/control"));
  const witness = connectDiscordEmulator(url);
  await witness.addBot(GROVE);
  const ada = await witness.user({ id: "200", username: "ada" });
  const { id: channel } = await ada.dm().state();
  const headers = { authorization: `Bot ${GROVE.token}`, "user-agent": AGENT, "content-type": "application/json" };
  const crash = `
    const socket = new WebSocket("${url.replace("http", "ws").replace("/api", "/gateway")}?v=10");
    socket.onmessage = async ({ data }) => {
      const { op, t, d } = JSON.parse(data);
      const properties = { os: "x", browser: "x", device: "x" };
      if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token: "${GROVE.token}", intents: 4096, properties } }));
      if (t !== "READY") return;
      const headers = ${JSON.stringify(headers)};
      const body = JSON.stringify({ content: d.session_id });
      await fetch("${url}/v10/channels/${channel}/messages", { method: "POST", headers, body });
      process.kill(process.pid, "SIGKILL");
    };`;
  const gateway = spawn(process.execPath, ["--input-type=module", "-e", crash]);
  expect(await once(gateway, "exit")).toEqual([null, "SIGKILL"]);
  const { text: sessionId } = await ada.dm().hears(/./);
  await ada.dm().says("are you back?");

  const { body } = await createRestClient(url)("GET", "/gateway/bot");
  const client = await openGateway(`${String(pick(body, "url"))}?v=10`);
  await resume(client, GROVE.token, sessionId, 1);
  expect((await client.until("RESUMED")).map(({ d }) => pick(d, "content"))).toContain("are you back?");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("ends with its stdin, also while calls are held and bots are connected", async () => {
  const { child, url } = await start();
  const witness = connectDiscordEmulator(url);
  await witness.addBot(GROVE);
  const gate = await witness.faults.hold({ route: "GET /users/@me" });
  const api = createRestClient(url);
  const { body } = await api("GET", "/gateway/bot");
  const client = await openGateway(`${String(pick(body, "url"))}?v=10`);
  await identify(client, GROVE.token, 0);
  const held = expect(api("GET", "/users/@me")).rejects.toThrow();
  await gate.reached();
  child.stdin?.end();
  expect(await once(child, "exit")).toEqual([0, null]);
  await held;
  expect(await client.closed).toEqual({ code: 1006 });
});
