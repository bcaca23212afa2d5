import { describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/command.ts";
import { CONTROL_COMMANDS } from "../../src/inbound/commands/control-commands.ts";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { openBusy } from "../turns/busy-desk.ts";
import { ADA, CoreDesk, type CoreDeskOptions } from "../turns/core-desk.ts";

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
  it("once at a read is run again; what was written behind it is answered", async () => {
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

  it("three times is given up with a word, and its lane goes on", async () => {
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

  it("because no version knows its name any more says so", async () => {
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

describe("a command that fails behind its stop", () => {
  it("gives the turn back, which runs again until the command stops it", async () => {
    const desk = await openWorking({ faultPoint: failAt("command.before", 1) });
    await desk.says("/stop");
    expect(desk.runtime.turns.map(({ attempt }) => attempt)).toEqual([1, 1]);
    await desk.ports.clock.advance(1_000);
    expect(desk.heard()).toEqual(["Stopped. What was said so far is kept."]);
    expect(await desk.lines()).toEqual(["user: long", "assistant: half"]);
    expect((await desk.store.read.lane(ADA)).active).toEqual([]);
  });

  it("to the last leaves the turn running, and the lane alive", async () => {
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
  it("is taken up to 100 of a lane; the next ones are refused with one line a minute", async () => {
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
