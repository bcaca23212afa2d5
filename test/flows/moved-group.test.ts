import { createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openWireTown } from "../stage/wire-town.ts";

const OLD = "-99";
const NEW = "-1099";
const KEY = `agent:main:wire:group:${NEW}`;
const GROUPS = { groups: { allow: [OLD], requireMention: false } };

function thereOf(chat: string) {
  return { kind: "group", chat } as const;
}

/** An agent that thinks until the test lets it answer. */
function createThinker() {
  const gate = createGate();
  const agent = createScriptedAgent((turn) => {
    const text = turn.input.input.map((input) => input.text).join("\n");
    return text === "think" ? [wait(gate), ...say("heard: think")] : say(`heard: ${text}`);
  });
  return { ...agent, gate };
}

test("a group that moves while an answer is on its way gets it once, in the new place, and goes on where it was", async () => {
  const { gate, ...agent } = createThinker();
  const { grove, says, hears, sentTo, move } = await openWireTown({ ...agent, account: GROUPS });
  await says("5", "hello", thereOf(OLD));
  await hears(OLD, "heard: hello");
  await says("5", "think", thereOf(OLD));
  await says("6", "and this", thereOf(OLD));
  await gate.reached;
  await move(OLD, NEW, "found out");
  gate.open();
  await hears(NEW, "heard: think");
  await hears(NEW, "heard: and this");
  expect(await says("6", "still here?", thereOf(NEW))).toBe("stored");
  await hears(NEW, "heard: still here?");
  await grove.rests();
  expect(await sentTo(OLD)).toEqual(["heard: hello"]);
  expect(await sentTo(NEW)).toEqual(["heard: think", "heard: and this", "heard: still here?"]);
  expect(agent.record.of(KEY).at(-1)?.history).toHaveLength(6);
  const sessions = await grove.read((read) => read.sessions({ limit: 9 }));
  expect(sessions.map(({ key }) => key)).toEqual([KEY]);
  const told = grove.log.filter((line) => line.includes("goes on as"));
  expect(told).toEqual([expect.stringContaining(`the group ${OLD} goes on as ${NEW}; name ${NEW} in groups.allow`)]);
});

test("a move that is told while the agent thinks lets it think again in the new place, over a restart, too", async () => {
  const { gate, ...agent } = createThinker();
  const { grove, says, hears, sentTo, move } = await openWireTown({ ...agent, account: GROUPS });
  await says("5", "hello", thereOf(OLD));
  await hears(OLD, "heard: hello");
  await says("5", "think", thereOf(OLD));
  await gate.reached;
  await move(OLD, NEW, "told");
  gate.open();
  await hears(NEW, "heard: think");
  await grove.rests();
  expect(await sentTo(NEW)).toEqual(["heard: think"]);
  expect(await sentTo(OLD)).toEqual(["heard: hello"]);
  await grove.restart();
  expect(await says("5", "after the night", thereOf(NEW))).toBe("stored");
  await hears(NEW, "heard: after the night");
  expect(agent.record.of(KEY).at(-1)?.history).toHaveLength(4);
});
