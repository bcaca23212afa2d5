import { createGate, type Script, type ScriptTurn } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { type GroveOptions, openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const SESSION = "agent:main:webchat:dm:operator";

/** An agent that begins, waits until the gate opens, and says what it was told until then. */
async function openDesk(script: Script, queue: object = {}, more: Partial<GroveOptions> = {}) {
  const agent = createScriptedAgent(script);
  const config = { ...agent.config, queue: { debounceMs: 0, ...queue } };
  const grove = await openGrove({ runtimes: agent.runtimes, config, ...more });
  const ada = grove.web("operator");
  const waits = (count: number) =>
    grove.until(`${count} to wait`, () =>
      grove.read(async (read) => ((await read.lane(SESSION)).waiting === count ? true : undefined)),
    );
  return { agent, grove, ada, waits };
}

function textOf({ input }: ScriptTurn): string {
  return input.input.map(({ text }) => text).join(" + ");
}

test("steer: what is said while the agent works is heard by the turn that runs, and has no turn of its own", async () => {
  const { agent, grove, ada } = await openDesk((turn) => async () => {
    if (textOf(turn) !== "walk") await turn.say(`alone: ${textOf(turn)}`);
    else await turn.say(`walked, then ${(await turn.takeSteer()).text}, then ${(await turn.takeSteer()).text}`);
    return undefined;
  });
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await ada.says("rest");
  await ada.hears("walked, then run, then rest");
  await grove.rests();
  expect(agent.record.attempts).toHaveLength(1);
  const heard = await grove.read(async (read) => {
    const session = await read.session(SESSION);
    return (await read.entries({ sessionId: session?.sessionId ?? "", limit: 99 })).map(({ body }) => JSON.parse(body));
  });
  expect(heard.map(({ role, content }) => `${role}: ${content[0]?.text}`)).toEqual([
    "user: walk",
    "user: run",
    "user: rest",
    "assistant: walked, then run, then rest",
  ]);
});

test("steer: what the agent did not take before its end is a turn of its own, once", async () => {
  const gate = createGate();
  const { agent, grove, ada, waits } = await openDesk((turn) => async () => {
    if (textOf(turn) === "walk") {
      gate.reach();
      await turn.waitFor(gate.opened);
    }
    await turn.say(`done: ${textOf(turn)}`);
    return undefined;
  });
  await ada.says("walk");
  await gate.reached;
  await ada.says("run");
  await waits(1);
  gate.open();
  await ada.hears("done: walk");
  await ada.hears("done: run");
  await grove.rests();
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(["walk", "run"]);
});

test("interrupt: the newer message takes the place of the turn that runs; what that had said stays in the transcript", async () => {
  const { agent, grove, ada } = await openDesk(
    (turn) => async () => {
      await turn.say(`began: ${textOf(turn)}`);
      if (textOf(turn) === "walk") await turn.waitFor(new Promise(() => undefined));
      return undefined;
    },
    { mode: "interrupt" },
  );
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await ada.hears("began: run");
  await grove.rests();
  expect((await ada.transcript()).filter(({ role }) => role === "assistant").map(({ text }) => text)).toEqual([
    "began: run",
  ]);
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(["walk", "run"]);
});

test("followup: nothing is handed to the turn that runs", async () => {
  const gate = createGate();
  const { agent, grove, ada, waits } = await openDesk(
    (turn) => async () => {
      if (textOf(turn) === "walk") {
        gate.reach();
        await turn.waitFor(gate.opened);
      }
      await turn.say(`done: ${textOf(turn)}`);
      return undefined;
    },
    { mode: "followup" },
  );
  await ada.says("walk");
  await gate.reached;
  await ada.says("run");
  await waits(1);
  gate.open();
  await ada.hears("done: run");
  await grove.rests();
  expect(agent.record.attempts).toHaveLength(2);
});

test("a sub-agent's completion reaches its parent while that works, and the parent's answer tells of it", async () => {
  const { agent, grove, ada } = await openDesk((turn) => async () => {
    const text = textOf(turn);
    if (text !== "delegate") {
      await turn.say(`counted 3 trees`);
      return undefined;
    }
    await turn.callTool("sessions_spawn", { task: "count", label: "census" });
    const told = await turn.takeSteer();
    await turn.say(`while I worked: ${told.completion?.label} ${told.completion?.result}`);
    return undefined;
  });
  await ada.says("delegate");
  await ada.hears("while I worked: census counted 3 trees");
  await grove.rests();
  expect(agent.record.of(SESSION)).toHaveLength(1);
  const runs = await grove.read((read) => read.runs({ limit: 9 }));
  expect(runs.map(({ state, settledBy }) => [state, settledBy])).toEqual([["ended", "parent"]]);
});
