import { createGate, createScriptedRuntime } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { openDesk, textOf } from "../stage/queue-desk.ts";

const FOREVER = new Promise<never>(() => undefined);

test("/queue tells what the turn was handed, and of what waits how it stands", async () => {
  const gate = createGate();
  const { agent, grove, ada, waits } = await openDesk(
    (turn) => async () => {
      if (textOf(turn) !== "walk") await turn.say(`done: ${textOf(turn)}`);
      else {
        await turn.takeSteer();
        await turn.waitFor(gate.opened);
      }
      return undefined;
    },
    { mode: "steer-backlog" },
  );
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await grove.until("run to be heard", () => agent.record.attempts[0]?.steered[0]);
  await ada.says("/queue followup");
  await ada.hears(/Mode: `followup`/);
  for (const word of ["rest", "eat"]) await ada.says(word);
  await waits(3);
  await ada.says("/queue priority 3 9");
  await ada.hears(/“eat” has the priority 9/);
  await ada.says("/queue");
  await ada.hears(
    /^I am working \(`steering`.*\n1\. “eat” \(prioritized, 9\)\n2\. “run” \(dispatched\)\n3\. “rest” \(queued\)$/s,
  );
  gate.open();
  await ada.hears("done: eat");
  await grove.rests();
});

test("/queue tells what was cut off, and that the turn at work goes on from there", async () => {
  const gate = createGate();
  const { agent, grove, ada } = await openDesk((turn) => async () => {
    if (textOf(turn) === "walk") await turn.waitFor(FOREVER);
    await turn.waitFor(gate.opened);
    await turn.say(`done: ${textOf(turn)}`);
    return undefined;
  });
  await ada.says("/queue interrupt checkpoint");
  await ada.hears(/Mode: `interrupt` \(continues from the last finished turn\)/);
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await grove.until("the next turn", () => agent.record.attempts[1]);
  await ada.says("/queue");
  await ada.hears(/^I am working, from what was cut off \(`recovery_mode`\); 0 waiting/);
  gate.open();
  await ada.hears("done: run");
  await ada.says("/queue");
  await ada.hears(/^Nothing runs; 0 waiting/);
  await grove.rests();
});

test("/queue tells that sub-agents are waited for", async () => {
  const gate = createGate();
  const { grove, ada } = await openDesk((turn) => async () => {
    if (textOf(turn) === "count") await turn.waitFor(gate.opened);
    if (textOf(turn) === "delegate") await turn.callTool("sessions_spawn", { task: "count", label: "census" });
    await turn.say(`done: ${textOf(turn)}`);
    return undefined;
  });
  await ada.says("delegate");
  await ada.hears("done: delegate");
  await ada.says("/queue");
  await ada.hears(/^I wait for sub-agents \(`waiting_for_collect`\); 0 waiting/);
  gate.open();
  await ada.hears(/census/);
  await grove.rests();
});

test("/queue interrupt model takes only a model that the operator has named, for the turn behind one that was cut off", async () => {
  const runtime = createScriptedRuntime(
    (turn) => async () => {
      if (textOf(turn) === "walk") await turn.waitFor(FOREVER);
      await turn.say(`done: ${textOf(turn)}`);
      return undefined;
    },
    { models: ["small", "Large"] },
  );
  const grove = await openGrove({
    runtimes: { scripted: async () => runtime },
    config: { agents: { main: { runtime: "scripted", model: "small" } }, queue: { debounceMs: 0 } },
  });
  const ada = grove.web("operator");
  await ada.says("/queue interrupt model dearest");
  await ada.hears("`dearest` is none of the models here: `small`, `Large`.");
  await ada.says("/queue interrupt model Large");
  await ada.hears(/Mode: `interrupt` \(with the model `Large`\)/);
  await ada.says("walk");
  await grove.until("the turn", () => runtime.record.attempts[0]);
  await ada.says("run");
  await ada.hears("done: run");
  await ada.says("rest");
  await ada.hears("done: rest");
  await grove.rests();
  expect(runtime.record.attempts.map(({ spec }) => [spec.model, spec.fallbackModels])).toEqual([
    ["small", undefined],
    ["Large", ["small"]],
    ["small", undefined],
  ]);
});
