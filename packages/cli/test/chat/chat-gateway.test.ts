import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ChatGateway, openChatGateway } from "../../src/chat/chat-gateway.ts";
import { chatThroughPipe } from "../../src/chat/chat-through-pipe.ts";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { findGateway } from "../../src/state/find-gateway.ts";
import { makeFolder, stateDirOf } from "../bin/banyan-process.ts";

const PATIENCE_MS = 30_000;

function writeConfig(): { readonly config: string; readonly stateDir: string } {
  const folder = makeFolder();
  const stateDir = stateDirOf(folder);
  const config = join(folder, "banyan.config.json");
  writeFileSync(config, JSON.stringify({ stateDir, server: { port: 0 }, log: { level: "silent" } }));
  return { config, stateDir };
}

/** As each `banyan chat` does at its beginning. */
async function openChat(config: string): Promise<ChatGateway> {
  const gateway = await openChatGateway(config);
  onTestFinished(() => gateway.close());
  return gateway;
}

test("several chats at once without a gateway: one opens it, all share it", async () => {
  const { config } = writeConfig();
  const chats = await Promise.all([1, 2, 3].map(() => openChat(config)));
  expect(chats.filter(({ isOwn }) => isOwn)).toHaveLength(1);
  const doors = await Promise.all(chats.map((chat) => chat.findDoor()));
  expect(new Set(doors.map(({ url }) => url)).size).toBe(1);
});

test("the chat that opened the gateway ends: another one opens it again, and each of its lines gets its answer", async () => {
  const { config } = writeConfig();
  const first = await openChat(config);
  const second = await openChat(config);
  expect([first.isOwn, second.isOwn]).toEqual([true, false]);
  const heard: string[] = [];
  async function* lines() {
    yield "calc 6*7";
    await first.close();
    yield "calc 6*8";
  }
  const write = (text: string) => void heard.push(text);
  await chatThroughPipe(second, { lines: lines(), write, patienceMs: PATIENCE_MS });
  expect(heard).toEqual(["6*7 = 42", "6*8 = 48"]);
});

test("a gateway that was not opened by a chat is not replaced while it is away, since it may be restarting", async () => {
  const { config, stateDir } = writeConfig();
  const { gateway } = await openGateway({ configFile: config, cwd: stateDir, env: {} });
  onTestFinished(() => gateway.stop());
  const chat = await openChat(config);
  await gateway.stop();
  await expect(chat.findDoor()).rejects.toMatchObject({ code: "control_unavailable" });
  expect(await findGateway(stateDir)).toBeUndefined();
});

test("a chat that has ended opens no gateway", async () => {
  const { config, stateDir } = writeConfig();
  const [first, second] = [await openChat(config), await openChat(config)];
  await second.close();
  await first.close();
  await expect(second.findDoor()).rejects.toMatchObject({ code: "control_unavailable" });
  expect(await findGateway(stateDir)).toBeUndefined();
});
