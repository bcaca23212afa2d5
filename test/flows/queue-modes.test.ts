import { createGate } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openDesk, openGated, SESSION, textOf, textsOf } from "../stage/queue-desk.ts";

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

test("collect: what waited becomes one turn, after a quiet time", async () => {
  const { agent, grove, ada, waits, gate } = await openGated({ mode: "collect", debounceMs: 50 });
  for (const word of ["run", "rest", "eat"]) await ada.says(word);
  await waits(3);
  gate.open();
  await ada.hears("done: run + rest + eat");
  await grove.rests();
  expect(agent.record.attempts).toHaveLength(2);
});

test("more than may wait: the oldest are told the agent in short, and none is lost", async () => {
  const { grove, ada, waits, gate } = await openGated({ mode: "followup", cap: 3 });
  for (const word of ["a", "b", "c", "d", "e"]) await ada.says(word);
  await waits(5);
  gate.open();
  await ada.hears(/done: 2 messages came while I was busy.*\n- a\n- b/s);
  for (const word of ["c", "d", "e"]) await ada.hears(`done: ${word}`);
  await grove.rests();
});

test("drop old: the oldest are left out, and that is said", async () => {
  const { agent, grove, ada, waits, gate } = await openGated({ mode: "followup", cap: 2, drop: "old" });
  for (const word of ["a", "b", "c", "d"]) await ada.says(word);
  await waits(4);
  gate.open();
  await ada.hears(/2 messages were left out, for more than 2 waited here: “a”, “b”/);
  await ada.hears("done: d");
  await grove.rests();
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(["walk", "c", "d"]);
});

test("drop new: the newest is refused, and that is said", async () => {
  const { agent, grove, ada, gate } = await openGated({ mode: "followup", cap: 2, drop: "new" });
  for (const word of ["a", "b"]) await ada.says(word);
  await ada.posts({ peer: "operator", text: "c" });
  await ada.hears(/2 messages already wait here, so your last one was not taken/);
  gate.open();
  await ada.hears("done: b");
  await grove.rests();
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(["walk", "a", "b"]);
});

test("steer-backlog: the most urgent goes first, the same is asked once, and priorities change while they wait", async () => {
  const { agent, grove, ada, waits, gate } = await openGated({ mode: "steer-backlog" });
  for (const word of ["a", "b", "c", "a"]) await ada.says(word);
  await waits(4);
  await ada.says("/queue");
  await ada.hears(/1\. “a” \(queued\)\n2\. “b” \(queued\)\n3\. “c” \(queued\)/);
  await ada.says("/queue priority 3 9");
  await ada.hears(/“c” has the priority 9 now/);
  gate.open();
  for (const word of ["c", "a", "b"]) await ada.hears(`done: ${word}`);
  await grove.rests();
  expect(agent.record.attempts.map(({ input }) => textsOf(input))).toEqual(["walk", "c", "a", "b"]);
});

test("/queue sets the mode of one conversation, which outlives a restart; default takes it back", async () => {
  const { agent, grove, ada } = await openDesk((turn) => async () => {
    await turn.say(`began: ${textOf(turn)}`);
    if (textOf(turn) === "walk") await turn.waitFor(new Promise(() => undefined));
    return undefined;
  });
  await ada.says("/queue interrupt");
  await ada.hears(/Set for this conversation\. Mode: `interrupt`/);
  await grove.restart();
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await ada.hears("began: run");
  await ada.says("/queue cap 7");
  await ada.hears(/Mode: `interrupt`\. Debounce 0 ms\. Max 7 queued/);
  await ada.says("/queue default");
  await ada.hears(/Mode: `steer` \(fallback: `followup`\)\. Debounce 0 ms\. Max 20 queued, then summarized\./);
  await ada.says("/queue sideways");
  await ada.hears(/is none of/);
  await grove.rests();
});
