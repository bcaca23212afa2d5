import { describe, expect, it } from "vitest";
import { freezeResult, RESULT_LIMIT_BYTES } from "../../src/runs/freeze-result.ts";
import { ADA, TreeDesk } from "./tree-desk.ts";

const HELLO = "hello";

interface Asked {
  readonly desk: TreeDesk;
  /** What the requester's turns were given of the run's end. */
  readonly given: readonly string[];
}

/** A child that answers so, asked for by an agent's tool or by a person. */
async function hear(answer: string, by: "agent" | "person", args: object = {}): Promise<Asked> {
  const given: string[] = [];
  const desk = await new TreeDesk().start();
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w", ...args });
    return "asked";
  });
  desk.plays(/^work/, () => answer);
  desk.plays(/“w”/, ({ text, input }) => {
    given.push(input.input[0]?.completion?.result ?? text);
    return "the agent tells";
  });
  await desk.says(by === "agent" ? "go" : "/spawn --label w work");
  await desk.later(11 * 60_000);
  return { desk, given };
}

async function endOf(desk: TreeDesk) {
  const [run] = await desk.runs();
  const completions = (await desk.lines()).filter((line) => line.startsWith("completion"));
  return { state: run?.state, reason: run?.endedReason, settledBy: run?.settledBy, completions };
}

describe("a child that wants nothing said of its end, by ANNOUNCE_SKIP", () => {
  it.each(["agent", "person"] as const)("is recorded for the %s who asked, and no chat is told", async (by) => {
    const { desk, given } = await hear("ANNOUNCE_SKIP", by);
    expect(desk.sent.map(({ kind }) => kind)).toEqual([by === "agent" ? "reply" : "command"]);
    expect(given).toEqual([]);
    expect(await endOf(desk)).toEqual({
      state: "ended",
      reason: "complete",
      settledBy: "nobody",
      completions: ["completion: done "],
    });
  });

  it("is heard only where that is the whole answer", async () => {
    const { desk } = await hear("ANNOUNCE_SKIP it is", "person");
    expect(desk.heard().at(-1)).toContain("ANNOUNCE_SKIP it is");
  });

  it("is told inside, where a sub-agent has asked and waits for it", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^top/, async ({ call }) => {
      await call("sessions_spawn", { task: "leaf", label: "l" });
      return "waiting";
    });
    desk.plays(/^leaf/, () => "ANNOUNCE_SKIP");
    desk.plays(/“l”/, () => "top is done");
    await desk.says("/spawn --label t top");
    expect(desk.heard().at(-1)).toContain("top is done");
    expect(desk.sent).toHaveLength(2);
  });
});

describe.each([
  ["NO_REPLY", "NO_REPLY"],
  ["nothing at all", ""],
  ["white space", " \n "],
])("a child that answers %s, though its result is owed", (_what, answer) => {
  it("is told to its parent as no output, and the parent's answer tells the chat", async () => {
    const { desk, given } = await hear(answer, "agent");
    expect(given).toHaveLength(1);
    expect(desk.heard()).toEqual(["asked", "the agent tells"]);
    expect(desk.turns.at(-1)?.input[0]?.text).toContain("(no output)");
    expect(await endOf(desk)).toMatchObject({ reason: "complete", settledBy: "parent" });
  });

  it("is told by the host to the person who asked", async () => {
    const { desk } = await hear(answer, "person");
    expect(desk.heard()).toHaveLength(2);
    expect(desk.heard()[1]).toMatch(/^✅ \*\*w\*\* · done in .*\n\nIt ended without an answer\.$/s);
    expect(await endOf(desk)).toMatchObject({ reason: "complete", settledBy: "host" });
  });
});

describe("a child of which no message is expected", () => {
  it.each([{}, { announce: "direct" }])("is written down for who asked, who is not woken: %j", async (more) => {
    const { desk, given } = await hear("the result", "agent", { expectsCompletionMessage: false, ...more });
    expect(desk.heard()).toEqual(["asked"]);
    expect(given).toEqual([]);
    expect(desk.turns).toHaveLength(2);
    expect(await endOf(desk)).toEqual({
      state: "ended",
      reason: "complete",
      settledBy: "nobody",
      completions: ["completion: done the result"],
    });
    desk.plays(new RegExp(`^${HELLO}`), async ({ input }) => {
      const known = (await input.history()).filter(({ kind }) => kind === "completion");
      return `${known.length} known`;
    });
    await desk.says(HELLO);
    expect(desk.heard().at(-1)).toBe("1 known");
  });
});

describe("a result over 100 KiB", () => {
  const LONG = "ab🌳 ".repeat(30_000);

  it("is kept, told to the parent and told to the chat cut, with a notice of how long it was", async () => {
    const frozen = freezeResult(LONG);
    const { desk, given } = await hear(LONG, "agent");
    expect(given).toEqual([frozen]);
    expect(Buffer.byteLength(frozen)).toBeLessThanOrEqual(RESULT_LIMIT_BYTES);
    expect(frozen).toMatch(/cut: the result was 209999 bytes long, the limit is 102400\)$/);
    const [run] = await desk.runs();
    expect(JSON.parse(run?.result ?? "{}").result).toBe(frozen);
    // The child's own transcript has all of it.
    expect((await desk.lines(run?.childSessionKey)).at(-1)).toBe(`assistant: ${LONG}`);
  });

  it("is told by the host in as many parts as the chat needs, in order, and is one entry for the agent", async () => {
    const { desk } = await hear(LONG, "person");
    const parts = desk.sent.filter(({ kind }) => kind === "completion");
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at));
    const told = parts.map(({ text }) => text).join("");
    expect(told.replaceAll(/\s/g, "")).toContain(freezeResult(LONG).replaceAll(/\s/g, ""));
    const entries = (await desk.transcript(ADA)).filter(({ kind }) => kind === "completion");
    expect(entries).toHaveLength(1);
  });
});
