import type { RuntimeSession } from "@banyan/plugin-sdk";
import { buildEntry, endOf, readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { describe, expect, it } from "vitest";
import { createDemoRuntime } from "../../src/index.ts";

async function openDemo(desk: TurnDesk): Promise<RuntimeSession> {
  const tools = [{ name: "list_files", description: "", parameters: {} }];
  return desk.open(createDemoRuntime(), { tools, workspaceDir: "/home/ada/secret-project" });
}

async function answerTo(text: string, desk = new TurnDesk()): Promise<string> {
  return textOf(await readAll((await openDemo(desk)).run(desk.turn(text))));
}

describe("talking", () => {
  it("greets who talks first, once, and says that it is a program", async () => {
    const desk = new TurnDesk();
    const session = await openDemo(desk);
    const greeting = textOf(await readAll(session.run(desk.turn("good grief"))));
    expect(greeting).toMatch(/^Hello!.*not a language model/);
    expect(greeting.match(/^- /gm)).toHaveLength(3);
    expect(textOf(await readAll(session.run(desk.turn("good grief"))))).toMatch(/^I.m the demo agent/);
    expect(desk.historyReads).toBe(1);
  });

  it("does not greet in a session that has a history, and reads it once at most", async () => {
    const desk = new TurnDesk();
    desk.history = [buildEntry("earlier")];
    const session = await openDemo(desk);
    expect(textOf(await readAll(session.run(desk.turn("good grief"))))).toMatch(/^I.m the demo agent/);
    await readAll(session.run(desk.turn("good grief")));
    expect(desk.historyReads).toBe(1);
  });

  it("answers a greeting with one, whenever it comes", async () => {
    const desk = new TurnDesk();
    desk.history = [buildEntry("earlier")];
    const session = await openDemo(desk);
    for (const text of ["hello", "Hi!", "hey"])
      expect(textOf(await readAll(session.run(desk.turn(text))))).toMatch(/^Hello!/);
  });

  it("reads no history for a command", async () => {
    const desk = new TurnDesk();
    await answerTo("help", desk);
    expect(desk.historyReads).toBe(0);
  });

  it("streams a longer answer in chunks that join to it", async () => {
    const desk = new TurnDesk();
    const events = await readAll((await openDemo(desk)).run(desk.turn("help")));
    expect(events.length).toBeGreaterThan(4);
    expect(textOf(events)).toContain("- calc <expression>: + - * / % ^ and parentheses");
  });

  it("answers each message of a collected turn", async () => {
    const desk = new TurnDesk();
    const turn = desk.turn([
      { kind: "message", text: "calc 1 + 1" },
      { kind: "completion", text: "words: 12" },
      { kind: "message", text: "calc 2 + 2" },
    ]);
    const text = textOf(await readAll((await openDemo(desk)).run(turn)));
    expect(text).toBe("1 + 1 = 2\n\nA sub-agent has finished:\nwords: 12\n\n2 + 2 = 4");
  });

  it("is silent when only the system speaks", async () => {
    const desk = new TurnDesk();
    const turn = desk.turn([{ kind: "system", text: "a thread was closed" }]);
    expect(textOf(await readAll((await openDemo(desk)).run(turn)))).toBe("NO_REPLY");
  });
});

it.each([
  ["calc 0.1 + 0.2", "0.1 + 0.2 = 0.3"],
  ["calc -1 * 0", "-1 * 0 = 0"],
  ["calc 1 / 0", "I can't work that out: a division by zero has no result."],
  ["slow never", "slow takes whole seconds from 1 to 600; try slow 10."],
])("answers %j", async (text, answer) => {
  expect(await answerTo(text)).toBe(answer);
});

it("tells the status, and no path of the machine", async () => {
  const status = await answerTo("status");
  expect(status).toContain("not a language model; no tokens are used");
  expect(status).toContain("agent:main:grove:dm:1");
  expect(status).toContain("Tools: list_files");
  expect(status).not.toContain("/home");
});

it("fails for good when it is asked to", async () => {
  const desk = new TurnDesk();
  const events = await readAll((await openDemo(desk)).run(desk.turn("fail")));
  expect(endOf(events)).toMatchObject({ type: "end", reason: "error", error: { isRetryable: false } });
});

describe("slow", () => {
  it("ticks each second of the host's clock", async () => {
    const desk = new TurnDesk();
    const reading = readAll((await openDemo(desk)).run(desk.turn("slow 3")));
    for (let second = 0; second < 3; second += 1) {
      await desk.clock.awaitAlarm();
      desk.clock.advance(1000);
    }
    expect(textOf(await reading)).toBe("1 2 3 \nThat took 3 s.");
  });

  it("stops between two ticks, keeps what it said, and leaves no timer", async () => {
    const desk = new TurnDesk();
    const run = (await openDemo(desk)).run(desk.turn("slow 300"));
    await desk.clock.awaitAlarm();
    desk.clock.advance(1000);
    await desk.clock.awaitAlarm();
    await run.abort("/stop");
    const events = await readAll(run);
    expect(textOf(events)).toBe("1 ");
    expect(endOf(events)).toEqual({ type: "end", reason: "stopped" });
    expect(desk.clock.pending).toBe(0);
  });
});
