import { StoreError } from "@banyan/store";
import type { CommitFault } from "@banyan/store-sqlite/inline";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/command.ts";
import { CONTROL_COMMANDS } from "../../src/inbound/commands/control.ts";
import { Sessions } from "../../src/sessions/sessions.ts";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { openBusy } from "../turns/busy-desk.ts";
import { ADA, addressOf, CoreDesk, type CoreDeskOptions } from "../turns/core-desk.ts";
import { aborted, says } from "../turns/played-runtime.ts";

const FAILED_LINE = "⚠ The command could not be run; send it again.";

const broken: Command = {
  name: "broken",
  usage: "/broken",
  summary: "fails",
  decide() {
    throw new Error("no luck");
  },
};

/** Throws at a point, so often. */
function failAt(point: string, times: number): (name: string) => void {
  let left = times;
  return (name) => {
    if (name !== point || left === 0) return;
    left -= 1;
    throw new Error(`failed at ${point}`);
  };
}

/** The agent works on "long". */
async function openWorking(options: CoreDeskOptions): Promise<CoreDesk> {
  const desk = await openBusy(options);
  await desk.says("long");
  return desk;
}

describe("a command that fails", () => {
  it("once, at a read, runs again; the message after it is answered", async () => {
    const desk = await new CoreDesk().connect();
    const { lane } = desk.store.read;
    let fails = 1;
    Object.assign(desk.store.read, {
      lane: async (key: string) => {
        fails -= 1;
        if (fails >= 0) throw new Error("the disk was busy");
        return lane(key);
      },
    });
    await desk.says("/new hello");
    expect(desk.heard()).toEqual([]);
    await desk.ports.clock.advance(1_000);
    expect(desk.heard()).toEqual(["A new conversation begins; the old one is kept.", "re: hello"]);
  });

  it("three times is given up with a notice, and its lane continues", async () => {
    const desk = await new CoreDesk({ commands: [...CONTROL_COMMANDS, broken] }).connect();
    await desk.says("/broken");
    await desk.says("hello");
    await desk.ports.clock.advance(4_999);
    expect(desk.heard()).toEqual([]);
    await desk.ports.clock.advance(1);
    expect(desk.heard()).toEqual([FAILED_LINE, "re: hello"]);
    expect(await desk.store.read.waitingCommands({ limit: 10 })).toEqual([]);
  });

  it("because the store has closed is left to the next start", async () => {
    const data = openTestData();
    const desk = new CoreDesk({
      data,
      fault: (step, when) => (step.step === "command" && when === "before" ? "closed" : "none"),
    });
    await desk.says("/status");
    await desk.inbound.close();
    const later = await new CoreDesk({ data }).connect();
    await later.inbound.resume();
    await quiet();
    expect(later.heard()).toEqual([expect.stringContaining("Agent **main**")]);
  });

  it("because this version does not know it any more says so", async () => {
    const data = openTestData();
    const old = new CoreDesk({ data, commands: [...CONTROL_COMMANDS, broken] });
    await old.says("/broken");
    const desk = await new CoreDesk({ data }).connect();
    await desk.inbound.resume();
    await quiet();
    expect(desk.heard()).toEqual(["Unknown command `/broken`. `/help` lists all commands."]);
    await desk.receive([desk.message("hello", { id: "another" })]);
    expect(desk.heard().at(-1)).toBe("re: hello");
  });
});

describe("a command that fails after it has stopped the turn", () => {
  it("releases the turn, which runs again until the command stops it", async () => {
    const desk = await openWorking({ faultPoint: failAt("command.before", 1) });
    await desk.says("/stop");
    expect(desk.runtime.turns.map(({ attempt }) => attempt)).toEqual([1, 1]);
    await desk.ports.clock.advance(1_000);
    expect(desk.heard()).toEqual(["Stopped. What was said so far is kept."]);
    expect(await desk.lines()).toEqual(["user: long", "assistant: half"]);
    expect((await desk.store.read.lane(ADA)).active).toEqual([]);
  });

  it("every time leaves the turn running, and the lane continues", async () => {
    const desk = await openWorking({ faultPoint: failAt("command.before", 3) });
    await desk.says("/new");
    await desk.ports.clock.advance(5_000);
    expect(desk.heard()).toEqual([FAILED_LINE]);
    expect([desk.turns.running, desk.runtime.turns.at(-1)?.attempt]).toEqual([1, 1]);
    await desk.says("next");
    await desk.says("/stop");
    expect(desk.heard().at(-1)).toBe("re: next");
  });
});

describe("a flood of commands", () => {
  it("is stored up to 100 per lane; the next ones are refused with one notice a minute", async () => {
    const desk = await new CoreDesk().connect();
    const gate = Promise.withResolvers<void>();
    const { lane } = desk.store.read;
    Object.assign(desk.store.read, {
      lane: async (key: string) => {
        await gate.promise;
        return lane(key);
      },
    });
    const busy = "Too many commands already wait here, so your last one was not taken. Send it again in a moment.";
    const flood = (size: number) => Array.from({ length: size }, () => desk.message("/status"));
    const outcomes = [...(await desk.receive(flood(60))), ...(await desk.receive(flood(60)))];
    expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(100);
    expect(outcomes.slice(100)).toEqual(Array.from({ length: 20 }, () => "refused"));
    expect(await desk.says("/new text")).toEqual(["refused"]);
    expect(await desk.says("/status", "bob")).toEqual(["stored"]);
    expect(desk.heard()).toEqual([busy]);
    await desk.ports.clock.advance(60_000);
    await desk.says("/status");
    expect(desk.heard()).toEqual([busy, busy]);
    gate.resolve();
    while (desk.heard().length < 102) await quiet();
    expect(await desk.says("/status")).toEqual(["stored"]);
    expect(desk.runtime.turns).toEqual([]);
  });
});

const RESET = { sessionKey: ADA, reason: "manual" } as const;

/** A desk on which Ada has said hello, and the public API of its sessions. */
async function openSessions(options: CoreDeskOptions = {}) {
  const desk = await new CoreDesk(options).connect();
  const { store, ports, sessions: cache, inbound } = desk;
  const endConversation = (key: string) => inbound.reset(key);
  const sessions = new Sessions({ store, ports, cache, defaultAgent: "main", endConversation });
  await desk.says("hello");
  return { desk, sessions };
}

describe("a reset through the API", () => {
  it("begins a new conversation under the key, with an id and a file of its own, and says nothing in the chat", async () => {
    const { desk, sessions } = await openSessions();
    const old = await sessions.updateSessionStore(ADA, (entry) => ({ ...entry, label: "garden" }));
    const told: unknown[] = [];
    desk.hooks.session_end.tap("test", (event) => void told.push(event));
    desk.hooks.session_start.tap("test", (event) => void told.push(event));
    const { entry } = await sessions.resolveSessionReset(RESET);
    expect(entry).toMatchObject({ label: "garden", messageCount: 0 });
    expect(entry.sessionId).not.toBe(old.entry.sessionId);
    expect(entry.sessionFile).not.toBe(old.entry.sessionFile);
    expect(told).toMatchObject([
      { sessionId: old.entry.sessionId, reason: "reset" },
      { sessionId: entry.sessionId, reason: "reset" },
    ]);
    await desk.says("next");
    expect(desk.heard()).toEqual(["re: hello", "re: next"]);
    expect(await desk.lines()).toEqual(["user: next", "assistant: re: next"]);
    const lines = await desk.store.read.history({ address: addressOf("ada"), limit: 9 });
    expect(lines?.map(({ body }) => JSON.parse(body).text)).toEqual(["hello", "re: hello", "next", "re: next"]);
  });

  it("stops a turn that asks for it itself, whose words stay in the old transcript", async () => {
    const { desk, sessions } = await openSessions();
    const old = (await desk.store.read.session(ADA))?.sessionId ?? "";
    const reset = Promise.withResolvers<unknown>();
    desk.runtime.play = async function* ({ signal }) {
      yield { type: "text", delta: "half" };
      sessions.resolveSessionReset(RESET).then(reset.resolve, reset.reject);
      await aborted(signal);
      yield { type: "end", reason: "stopped" };
    };
    await desk.says("begin");
    await reset.promise;
    const rows = await desk.store.read.entries({ sessionId: old, limit: 100 });
    expect(rows.map(({ body }) => JSON.parse(body).content[0].text).slice(2)).toEqual(["begin", "half", "manual"]);
    desk.runtime.play = () => says("fresh");
    await desk.says("next");
    expect(await desk.lines()).toEqual(["user: next", "assistant: fresh"]);
  });

  it("whose answer from the store is lost is carried out once and known as its own", async () => {
    let lost = 0;
    const fault: CommitFault = (step, when) => {
      if (step.step !== "command" || when !== "after" || lost > 0) return "none";
      lost += 1;
      return "commit_unknown";
    };
    const { desk, sessions } = await openSessions({ fault });
    const { entry } = await sessions.resolveSessionReset(RESET);
    expect([lost, (await desk.store.read.session(ADA))?.sessionId]).toEqual([1, entry.sessionId]);
    expect((await desk.store.read.counts()).waitingItems).toBe(0);
  });

  it("that a full store does not take begins nothing", async () => {
    const { desk, sessions } = await openSessions({
      fault: (step, when) => (step.step === "enqueue" && when === "before" ? "full" : "none"),
    });
    await expect(sessions.resolveSessionReset(RESET)).rejects.toBeInstanceOf(StoreError);
    await desk.says("next");
    expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello", "user: next", "assistant: re: next"]);
  });

  it("of a session that is none, or is archived, is refused", async () => {
    const { desk, sessions } = await openSessions();
    await expect(
      sessions.resolveSessionReset({ sessionKey: "agent:main:main", reason: "manual" }),
    ).rejects.toMatchObject({ code: "session_not_found" });
    const audit = { actor: "test", action: "sessions-delete", detail: ADA };
    await desk.store.commit({ step: "archive_session", key: ADA, audit });
    await expect(sessions.resolveSessionReset(RESET)).rejects.toMatchObject({ code: "session_not_found" });
  });
});
