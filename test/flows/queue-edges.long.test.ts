import { createGate } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { openDesk, openGated, SESSION, textOf } from "../stage/queue-desk.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

test("/stop ends what the turn was told as well, and nothing of it begins again", async () => {
  const { agent, grove, ada } = await openDesk((turn) => async () => {
    if (textOf(turn) === "walk") await turn.waitFor(turn.takeSteer().then(() => new Promise(() => undefined)));
    await turn.say(`done: ${textOf(turn)}`);
    return undefined;
  });
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await grove.until("run to be heard", () => agent.record.attempts[0]?.steered[0]);
  await ada.says("/stop");
  await ada.hears(/^Stopped/);
  await grove.rests();
  expect(agent.record.attempts).toHaveLength(1);
  expect((await grove.read((read) => read.openItems({ lane: SESSION, limit: 9 }))).length).toBe(0);
});

test("a mode that is set while a turn runs counts for what is said next", async () => {
  const { agent, grove, ada } = await openDesk((turn) => async () => {
    await turn.say(`began: ${textOf(turn)}`);
    if (textOf(turn) === "walk") await turn.waitFor(new Promise(() => undefined));
    return undefined;
  });
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("/queue interrupt");
  await ada.hears(/Mode: `interrupt`/);
  await ada.says("run");
  await ada.hears("began: run");
  await grove.rests();
});

test("what is said in the quiet time is part of the turn behind it", async () => {
  const { agent, grove, ada, waits, gate } = await openGated({ mode: "collect", debounceMs: 700 });
  await ada.says("run");
  await waits(1);
  gate.open();
  await ada.hears("done: walk");
  await ada.says("rest");
  await ada.hears("done: run + rest");
  await grove.rests();
  expect(agent.record.attempts).toHaveLength(2);
});

test("drop new: what is refused in the quiet time is told of, too", async () => {
  const { agent, grove, ada, waits, gate } = await openGated({ mode: "collect", debounceMs: 700, cap: 1, drop: "new" });
  await ada.says("run");
  await waits(1);
  gate.open();
  await ada.hears("done: walk");
  await ada.posts({ peer: "operator", text: "rest" });
  await ada.hears(/^1 message already waits here, so your last one was not taken/);
  await ada.hears("done: run");
  await grove.rests();
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(["walk", "run"]);
});

test("drop new: what is refused behind the next turn is told of again", async () => {
  const first = createGate();
  const second = createGate();
  const { grove, ada, waits } = await openDesk(
    (turn) => async () => {
      const text = textOf(turn);
      const gate = text === "walk" ? first : text === "run" ? second : undefined;
      gate?.reach();
      if (gate !== undefined) await turn.waitFor(gate.opened);
      await turn.say(`done: ${text}`);
      return undefined;
    },
    { mode: "followup", cap: 1, drop: "new" },
  );
  await ada.says("walk");
  await first.reached;
  await ada.says("run");
  await waits(1);
  const refusals = async () =>
    (await grove.deliveries()).filter(({ body }) => body.includes("already waits here")).length;
  for (const text of ["one too many", "and one more"]) await ada.posts({ peer: "operator", text });
  expect(await refusals()).toBe(1);
  first.open();
  await second.reached;
  await ada.says("rest");
  await waits(1);
  await ada.posts({ peer: "operator", text: "one too many again" });
  expect(await refusals()).toBe(2);
  second.open();
  await ada.hears("done: rest");
  await grove.rests();
});

test("files of what a turn took along, or was told, can be saved", async () => {
  const { telegram, env } = await openTelegram([7]);
  const agent = createScriptedAgent((turn) => async () => {
    const [, more] = turn.input.input;
    const told = more ?? (await turn.takeSteer());
    const id = /\[id (.*)\]/.exec(told.context?.[0]?.text ?? "")?.[1] ?? "";
    await turn.say((await turn.callTool("save_attachment", { id })).text);
    return undefined;
  });
  const grove = await openGrove({
    env,
    runtimes: agent.runtimes,
    config: { ...agent.config, queue: { debounceMs: 0 } },
  });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.sendsDocument({ name: "oaks.txt", mimeType: "text/plain", content: "two oaks" }, "the oaks");
  await ada.hears(/oaks\.txt: 8 bytes/);
  await grove.rests();
});
