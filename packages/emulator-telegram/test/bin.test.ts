import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { connectTelegramEmulator } from "../src/index.ts";
import { createBotClient, GROVE, pick } from "./bot-client.ts";

const PROGRAM = new URL("../src/bin.ts", import.meta.url).pathname;

async function start(): Promise<{ child: ChildProcess; url: string; controlUrl: string }> {
  const child = spawn(process.execPath, [PROGRAM, "--record=calls"], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const ready: unknown = JSON.parse(String(line));
  return { child, url: String(pick(ready, "url")), controlUrl: String(pick(ready, "controlUrl")) };
}

it("prints its addresses in one line and lives on when a gateway dies", async () => {
  const { child, url, controlUrl } = await start();
  expect(controlUrl).toBe(`${url}/control`);
  const witness = connectTelegramEmulator(url);
  await witness.addBot(GROVE);
  const ada = await witness.user({ id: 7, firstName: "Ada" });
  await ada.says("hello");

  const crash = `await fetch("${url}/bot${GROVE.token}/sendMessage?chat_id=7&text=hi"); process.kill(process.pid, "SIGKILL");`;
  const gateway = spawn(process.execPath, ["--input-type=module", "-e", crash]);
  expect(await once(gateway, "exit")).toEqual([null, "SIGKILL"]);
  await ada.hears("hi");
  expect(pick((await createBotClient(url)("getUpdates")).result, 0, "message", "text")).toBe("hello");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("ends with its stdin, also while a bot polls", async () => {
  const { child, url } = await start();
  const witness = connectTelegramEmulator(url);
  await witness.addBot(GROVE);
  const gate = await witness.faults.hold({ method: "getMe" });
  const held = expect(createBotClient(url)("getMe")).rejects.toThrow();
  const poll = expect(createBotClient(url)("getUpdates", { timeout: 50 })).rejects.toThrow();
  await gate.reached();
  child.stdin?.end();
  expect(await once(child, "exit")).toEqual([0, null]);
  await Promise.all([held, poll]);
});
