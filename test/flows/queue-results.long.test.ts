import { createGate, type ScriptTurn } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { openDesk, SESSION, textOf, textsOf } from "../stage/queue-desk.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

/** Spawns children with these labels; they say so at once. */
async function delegate(turn: ScriptTurn, ...labels: readonly string[]): Promise<void> {
  for (const label of labels) await turn.callTool("sessions_spawn", { task: `as ${label}`, label });
}

test.each(["followup", "collect", "interrupt"])(
  "%s: a result is heard by the parent at work all the same, and cuts nothing off",
  async (mode) => {
    const { agent, grove, ada } = await openDesk(
      (turn) => async () => {
        if (textOf(turn) !== "delegate") await turn.say(textOf(turn));
        else {
          await delegate(turn, "oak");
          await turn.say(`heard ${(await turn.takeSteer()).completion?.result}`);
        }
        return undefined;
      },
      { mode },
    );
    await ada.says("delegate");
    await ada.hears("heard as oak");
    await grove.rests();
    expect(agent.record.of(SESSION)).toHaveLength(1);
  },
);

test("results that a parent does not hear while it works are one turn behind it", async () => {
  const gate = createGate();
  const agent = createScriptedAgent(
    (turn) => async () => {
      const told = turn.input.input.flatMap(({ completion }) => completion?.label ?? []);
      if (told.length > 0) await turn.say(`heard ${told.toSorted().join(" and ")}`);
      else if (textOf(turn) !== "delegate") await turn.say(textOf(turn));
      else {
        await delegate(turn, "oak", "elm");
        await turn.waitFor(gate.opened);
        await turn.say("sent them");
      }
      return undefined;
    },
    { isDeaf: true },
  );
  const grove = await openGrove({ runtimes: agent.runtimes, config: { ...agent.config, queue: { debounceMs: 0 } } });
  const ada = grove.web("operator");
  await ada.says("delegate");
  await grove.until("both results", () =>
    grove.read(async (read) => ((await read.lane(SESSION)).waiting === 2 ? true : undefined)),
  );
  gate.open();
  await ada.hears("heard elm and oak");
  await grove.rests();
  expect(agent.record.of(SESSION)).toHaveLength(2);
});

test("nothing is set and the agent hears nothing while it works: what is said is a turn of its own", async () => {
  const gate = createGate();
  const agent = createScriptedAgent(
    (turn) => async () => {
      if (textOf(turn) === "walk") await turn.waitFor(gate.opened);
      await turn.say(`done: ${textOf(turn)}`);
      return undefined;
    },
    { isDeaf: true },
  );
  const grove = await openGrove({ runtimes: agent.runtimes, config: { ...agent.config, queue: { debounceMs: 0 } } });
  const ada = grove.web("operator");
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  gate.open();
  await ada.hears("done: walk");
  await ada.hears("done: run");
  await grove.rests();
  expect(agent.record.attempts.map(({ input }) => textsOf(input))).toEqual(["walk", "run"]);
});

test("a channel's own mode holds there, over the one of all", async () => {
  const { agent, grove, ada } = await openDesk(
    (turn) => async () => {
      await turn.say(`began: ${textOf(turn)}`);
      if (textOf(turn) === "walk") await turn.waitFor(new Promise(() => undefined));
      return undefined;
    },
    { mode: "followup", byChannel: { webchat: { mode: "interrupt", interrupt: { resume: "checkpoint" } } } },
  );
  await ada.says("walk");
  await grove.until("the turn", () => agent.record.attempts[0]);
  await ada.says("run");
  await ada.hears("began: run");
  await grove.rests();
  expect(agent.record.attempts[1]?.input[0]?.context?.[0]?.text).toContain("set back");
});

test("/queue tells that somebody is asked", async () => {
  const { grove, ada } = await openDesk((turn) => async () => {
    const choices = [{ id: "allow", label: "Allow", isAllowing: true }];
    await turn.input.askPermission({ id: "dig", text: "May I dig?", choices });
    await turn.say("dug");
    return undefined;
  });
  await ada.says("dig");
  await ada.hears(/^May I dig\?/);
  await ada.says("/queue");
  await ada.hears(/^I am working (`blocked`: I wait for an approval); 0 waiting/);
  await ada.says("/answer allow");
  await ada.hears("dug");
  await grove.rests();
});
