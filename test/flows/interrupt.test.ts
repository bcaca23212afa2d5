import type { ScriptTurn } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { openDesk, SESSION, textOf } from "../stage/queue-desk.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const FOREVER = new Promise<never>(() => undefined);

/** Works on “walk” without an end; says what it was given with anything else. */
async function walkOn(turn: ScriptTurn): Promise<undefined> {
  const text = textOf(turn);
  if (text === "walk") {
    await turn.callTool("read_file", { path: "absent.txt" });
    await turn.say("I have left the house");
    await turn.waitFor(FOREVER);
  }
  await turn.say(`began: ${text}`);
}

/** What an agent was told beside the words, of its attempt with this text. */
function contextOf(attempts: readonly { readonly input: ScriptTurn["input"]["input"] }[], text: string): string {
  const [first] = attempts.find(({ input }) => input[0]?.text === text)?.input ?? [];
  return (first?.context ?? []).map((data) => `${data.label}: ${data.text}`).join("\n");
}

test("the state of a turn that is cut off is saved with its end, and the next one reads it, labelled; then it is over", async () => {
  const { agent, grove, ada } = await openDesk((turn) => () => walkOn(turn), { mode: "interrupt" });
  await ada.says("walk");
  await grove.until("the call", () => agent.record.attempts[0]?.toolResults[0]);
  await ada.says("run");
  await ada.hears("began: run");
  await grove.rests();
  const told = contextOf(agent.record.attempts, "run");
  expect(told).toMatch(/^what was cut off: A newer message took the place of this turn before it was finished/);
  expect(told).toMatch(
    /It was asked: “walk”\nIt had said: I have left the house\nIts calls:\n- read_file \{"path":"absent.txt"\} failed: /,
  );
  const kinds = await grove.read(async (read) => {
    const session = await read.session(SESSION);
    return (await read.entries({ sessionId: session?.sessionId ?? "", limit: 99 })).map(
      ({ body }) => JSON.parse(body).kind,
    );
  });
  expect(kinds).toEqual(["message", "tool_call", "tool_result", "message", "interruption", "message", "message"]);
  await ada.says("rest");
  await ada.hears("began: rest");
  await grove.rests();
  expect(contextOf(agent.record.attempts, "rest")).toBe("");
  expect(agent.record.attempts.at(-1)?.history.map(({ kind }) => kind)).toContain("interruption");
});

test("an agent that is cut off before it says anything leaves no word of its own", async () => {
  const { agent, grove, ada } = await openDesk(
    (turn) => async () => (textOf(turn) === "walk" ? turn.waitFor(FOREVER) : turn.say("here").then(() => undefined)),
    { mode: "interrupt" },
  );
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await ada.hears("here");
  await grove.rests();
  expect(agent.record.attempts.at(-1)?.history.map(({ kind, role }) => `${kind} ${role}`)).toEqual([
    "message user",
    "interruption system",
  ]);
});

test("checkpoint: the next turn goes on from the last one that was settled; what was said and done is kept in the transcript", async () => {
  const { agent, grove, ada } = await openDesk((turn) => () => walkOn(turn), {
    mode: "interrupt",
    interrupt: { resume: "checkpoint" },
  });
  await ada.says("sleep");
  await ada.hears("began: sleep");
  await ada.says("walk");
  await grove.until("the call", () => agent.record.attempts[1]?.toolResults[0]);
  await ada.says("run");
  await ada.hears("began: run");
  await ada.says("rest");
  await ada.hears("began: rest");
  await grove.rests();
  const [, , run, rest] = agent.record.attempts;
  const shown = (run?.history ?? []).map(
    ({ role, content: [part] }) => `${role}: ${part?.type === "text" ? part.text : part?.type}`,
  );
  expect(shown).toEqual(["user: sleep", "assistant: began: sleep", "user: walk", "system: interruption"]);
  const told = contextOf(agent.record.attempts, "run");
  expect(told).toMatch(/set back to where it began.*Its calls:\n- read_file \{"path":"absent.txt"\}$/s);
  expect(told).not.toContain("left the house");
  // It stays so for the turns behind that one.
  expect(JSON.stringify(rest?.history)).not.toContain("left the house");
  expect(JSON.stringify(await ada.transcript())).toContain("sleep");
  const stored = await grove.read(async (read) => {
    const session = await read.session(SESSION);
    return (await read.entries({ sessionId: session?.sessionId ?? "", limit: 99 })).map(({ body }) => body).join("\n");
  });
  expect(stored).toContain("left the house");
});

test("who cuts off one turn after the other is answered with all of them in view", async () => {
  const { agent, grove, ada } = await openDesk(
    (turn) => async () => {
      await turn.say(`began: ${textOf(turn)}`);
      if (textOf(turn) !== "rest") await turn.waitFor(FOREVER);
      return undefined;
    },
    { mode: "interrupt" },
  );
  for (const [at, word] of ["walk", "run"].entries()) {
    await ada.says(word);
    await grove.until("the turn", () => agent.record.attempts[at]);
  }
  await ada.says("rest");
  await ada.hears("began: rest");
  await grove.rests();
  const told = contextOf(agent.record.attempts, "rest");
  expect(told).toMatch(/“walk”\nIt had said: began: walk.*“run”\nIt had said: began: run/s);
});

test("a turn that fails has told nobody: the one behind it is told what was cut off as well", async () => {
  let failures = 0;
  const { agent, grove, ada } = await openDesk(
    (turn) => async () => {
      if (textOf(turn) !== "run") return walkOn(turn);
      failures += 1;
      throw new Error("the line broke");
    },
    { mode: "interrupt", interrupt: { resume: "checkpoint", thinking: "high" } },
  );
  await ada.says("walk");
  await grove.until("the call", () => agent.record.attempts[0]?.toolResults[0]);
  await ada.says("run");
  await ada.hears(/program failed/);
  await ada.says("rest");
  await ada.hears("began: rest");
  await ada.says("sleep");
  await ada.hears("began: sleep");
  await grove.rests();
  expect(failures).toBe(1);
  expect(contextOf(agent.record.attempts, "rest")).toMatch(/It was asked: “walk”\nIts calls:\n- read_file/);
  expect(contextOf(agent.record.attempts, "sleep")).toBe("");
  // How it is run was meant for the one turn.
  expect(agent.record.attempts.map(({ spec }) => spec.thinking)).toEqual([undefined, "high", undefined, undefined]);
});

test("a turn that is stopped has told nobody either", async () => {
  const { agent, grove, ada } = await openDesk(
    (turn) => async () => (textOf(turn) === "run" ? turn.waitFor(FOREVER) : walkOn(turn)),
    { mode: "interrupt", interrupt: { resume: "checkpoint" } },
  );
  await ada.says("walk");
  await grove.until("the call", () => agent.record.attempts[0]?.toolResults[0]);
  await ada.says("run");
  await grove.until("the next turn", () => agent.record.attempts[1]);
  await ada.says("/stop");
  await ada.hears(/Stopped/);
  await ada.says("rest");
  await ada.hears("began: rest");
  await grove.rests();
  expect(contextOf(agent.record.attempts, "rest")).toMatch(/It was asked: “walk”\nIts calls:\n- read_file/);
});

test("another strategy: the next turn, and no other, has another model and thinks otherwise", async () => {
  const { agent, grove, ada } = await openDesk((turn) => () => walkOn(turn), {
    mode: "interrupt",
    interrupt: { thinking: "high" },
  });
  await ada.says("walk");
  await grove.until("the call", () => agent.record.attempts[0]?.toolResults[0]);
  await ada.says("run");
  await ada.hears("began: run");
  await ada.says("rest");
  await ada.hears("began: rest");
  await grove.rests();
  expect(agent.record.attempts.map(({ spec }) => spec.thinking)).toEqual([undefined, "high", undefined]);
});

test("results that the turn was to tell of are told all the same", async () => {
  const { agent, grove, ada } = await openDesk(
    (turn) => async () => {
      const text = textOf(turn);
      if (text === "delegate") await turn.callTool("sessions_spawn", { task: "count", label: "census" });
      if (turn.input.input[0]?.completion !== undefined) await turn.waitFor(FOREVER);
      await turn.say(text === "count" ? "counted 3 trees" : `began: ${text}`);
      return undefined;
    },
    { mode: "interrupt" },
  );
  await ada.says("delegate");
  await grove.until("the result's turn", () => agent.record.of(SESSION)[1]);
  await ada.says("run");
  await ada.hears("began: run");
  await ada.hears(/census.*counted 3 trees/s);
  await grove.rests();
  const runs = await grove.read((read) => read.runs({ limit: 9 }));
  expect(runs.map(({ state, settledBy }) => [state, settledBy])).toEqual([["ended", "host"]]);
});

test("a result that came before the newer message is told first, and leaves that message what was cut off", async () => {
  const agent = createScriptedAgent(
    (turn) => async () => {
      if (turn.input.input[0]?.completion === undefined && textOf(turn) !== "walk") return walkOn(turn);
      if (textOf(turn) !== "walk") await turn.say("heard of it");
      else {
        await turn.callTool("sessions_spawn", { task: "count", label: "census" });
        await turn.waitFor(FOREVER);
      }
      return undefined;
    },
    { isDeaf: true },
  );
  const config = { ...agent.config, queue: { debounceMs: 0, mode: "interrupt" } };
  const grove = await openGrove({ runtimes: agent.runtimes, config });
  const ada = grove.web("operator");
  await ada.says("walk");
  await grove.until("the result", () =>
    grove.read(async (read) => ((await read.lane(SESSION)).waiting === 1 ? true : undefined)),
  );
  await ada.says("run");
  await ada.hears("heard of it");
  await ada.hears("began: run");
  await ada.says("rest");
  await ada.hears("began: rest");
  await grove.rests();
  expect(contextOf(agent.record.attempts, "run")).toMatch(/It was asked: “walk”\nIts calls:\n- sessions_spawn/);
  expect(contextOf(agent.record.attempts, "rest")).toBe("");
});
