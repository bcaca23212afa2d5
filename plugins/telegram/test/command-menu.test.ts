import { createTelegramEmulator, type TelegramEmulator } from "@banyan/emulator-telegram";
import type { ChannelCommand } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestAccount, type TestAccountOptions, TOKEN } from "./test-account.ts";

const STATUS: ChannelCommand = { name: "status", summary: "what runs here", isDmOnly: false };
const LINK: ChannelCommand = { name: "link", summary: "join your accounts", isDmOnly: true };

let telegram: TelegramEmulator;
let accounts: TestAccount[];

beforeEach(async () => {
  telegram = await createTelegramEmulator();
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  accounts = [];
});

afterEach(async () => {
  for (const account of accounts) await account.close();
  await telegram.close();
});

async function connect(options: TestAccountOptions): Promise<TestAccount> {
  const account = new TestAccount(telegram, options);
  accounts.push(account);
  await account.connect();
  return account;
}

async function listSet(): Promise<unknown[]> {
  return (await telegram.record({ method: "setMyCommands" })).map(({ params }) => params);
}

describe("the menu of commands", () => {
  test("shows what people can send, more of it in private chats, and nothing of that in groups", async () => {
    await connect({ commands: [STATUS, LINK] });
    await telegram.called("setMyCommands", 3);
    const status = { command: "status", description: "what runs here" };
    const link = { command: "link", description: "join your accounts" };
    expect(await listSet()).toEqual([
      { scope: { type: "default" }, commands: [status] },
      { scope: { type: "all_group_chats" }, commands: [status] },
      { scope: { type: "all_private_chats" }, commands: [status, link] },
    ]);
  });

  test("is there in each language that a command has words in, whole; a language that Telegram does not know is left out", async () => {
    const summaries = { de: "was hier läuft", "sv-SE": "vad som händer" };
    await connect({ commands: [{ ...STATUS, summaries }, LINK] });
    await telegram.called("setMyCommands", 6);
    const inGerman = (await listSet()).slice(3);
    const status = { command: "status", description: "was hier läuft" };
    const link = { command: "link", description: "join your accounts" };
    expect(inGerman).toEqual([
      { scope: { type: "default" }, language_code: "de", commands: [status] },
      { scope: { type: "all_group_chats" }, language_code: "de", commands: [status] },
      { scope: { type: "all_private_chats" }, language_code: "de", commands: [status, link] },
    ]);
  });

  test("is asked for and left alone when it is right already", async () => {
    const first = await connect({ commands: [STATUS] });
    await telegram.called("setMyCommands", 3);
    await first.close();
    await connect({ commands: [STATUS] });
    await telegram.called("getMyCommands", 6);
    await connect({ commands: [{ ...STATUS, summary: "how it goes" }] });
    await telegram.called("setMyCommands", 6);
    const shown = ["what runs here", "how it goes"].flatMap((description) =>
      Array(3).fill({ commands: [{ description }] }),
    );
    expect(await listSet()).toMatchObject(shown);
  });

  test("T27: waits where Telegram asks it to, and is set in the end", async () => {
    await telegram.faults.add({ kind: "too-many-requests", method: "setMyCommands", retryAfterS: 7 });
    const account = await connect({ commands: [STATUS] });
    await account.clock.awaitAlarm(7_000);
    account.clock.advance(7_000);
    await telegram.called("setMyCommands", 3);
    expect(account.logged.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("costs no request where the host has no commands", async () => {
    const account = await connect({});
    await account.close();
    expect(await telegram.counts()).not.toHaveProperty("getMyCommands");
  });

  test("keeps no message waiting, and its failure stops nothing", async () => {
    const ada = await telegram.user({ id: 42, firstName: "Ada" });
    const gate = await telegram.faults.hold({ method: "getMyCommands" });
    await ada.says("one");
    const account = await connect({ commands: [STATUS] });
    expect(await account.receives(1)).toEqual(["one"]);
    await gate.reached();
    await gate.cut();
    expect(await account.says(/no new menu/)).toMatchObject({ level: "warn", fields: { err: { class: "ambiguous" } } });
    await ada.says("two");
    expect(await account.receives(2)).toEqual(["one", "two"]);
    expect(account.reports).toEqual([]);
  });

  test("is left to itself when the account ends", async () => {
    const gate = await telegram.faults.hold({ method: "getMyCommands" });
    const account = await connect({ commands: [STATUS] });
    await gate.reached();
    await account.close();
    expect(account.logged.map(({ level }) => level)).toEqual(["info"]);
  });
});
