import { call, createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** So that statuses, which wait three seconds, wait a tenth of one. */
const HURRY = 30;

/**
 * Ada alone with a bot. Its agent gives each task of `split a, b` to a sub-agent and tells what they come to; a sub-agent is at
 * work until the gate opens.
 */
async function openChat(config: Readonly<Record<string, unknown>> = {}) {
  const gate = createGate();
  const agent = createScriptedAgent((turn) => {
    const [input] = turn.input.input;
    const text = input?.text ?? "";
    if (turn.spec.sessionKey.includes(":subagent:")) return [...say(`on ${text}`), wait(gate), ...say(": 42")];
    if (!text.startsWith("split ")) return say("All are counted.");
    const tasks = text.slice("split ".length).split(", ");
    return [...tasks.map((task) => call("sessions_spawn", { task, label: task })), ...say("I have split it.")];
  });
  const { telegram, env } = await openTelegram([7]);
  const settings = { channels: { telegram: { accounts: { default: config } } } };
  const clock = createHurriedClock(HURRY);
  const grove = await openGrove({
    runtimes: agent.runtimes,
    config: { ...agent.config, ...settings },
    env,
    ports: { clock },
  });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const said = async () => (await ada.messages()).map(({ text }) => text);
  return { telegram, grove, ada, gate, said };
}

test("the answer to /spawn shows how the sub-agent fares, and becomes its result", async () => {
  const { grove, ada, gate, said } = await openChat();
  await ada.says("/spawn --label census oaks");
  await ada.hears(/^🌱 census is at work \([0-9a-f]{8}\)\.$/);
  await ada.hears(/^🌱 census is at work \([0-9a-f]{8}\): on oaks$/);
  gate.open();
  await ada.hears(/^✅ census · done in .*\n\non oaks: 42$/s, { once: true });
  await ada.hears("✅ census is done: see above.", { once: true });
  await grove.rests();
  expect(await said()).toHaveLength(2);
});

test("behind an agent's words stands how its sub-agents fare, and becomes what it makes of them", async () => {
  const { grove, ada, gate, said } = await openChat();
  await ada.says("split oaks, elms");
  await ada.hears("I have split it.");
  await ada.hears(/^🌱 2 of 2 sub-agents at work:\n[•-] oaks running: on oaks\n[•-] elms running: on elms$/);
  gate.open();
  await ada.hears("All are counted.", { once: true });
  await ada.hears(/^✅ oaks is done, ✅ elms is done: see above\.$/, { once: true });
  await grove.rests();
  expect(await said()).toEqual([
    "I have split it.",
    "All are counted.",
    "✅ oaks is done, ✅ elms is done: see above.",
  ]);
});

test("behind a restart the status of an earlier life becomes no result, as its last edit may still come", async () => {
  const { grove, ada, gate, said } = await openChat();
  await ada.says("split oaks, elms");
  await ada.hears(/^🌱 2 of 2 sub-agents at work:\n[•-] oaks running: on oaks\n[•-] elms running: on elms$/);
  await grove.restart();
  gate.open();
  await ada.hears("All are counted.", { once: true });
  await ada.hears(/^✅ oaks is done, ✅ elms is done: see above\.$/, { once: true });
  await grove.rests();
  expect(await said()).toEqual([
    "I have split it.",
    expect.stringMatching(/^🌱 2 of 2 sub-agents at work/),
    "All are counted.",
    "✅ oaks is done, ✅ elms is done: see above.",
  ]);
  // What it says is wrong by then; the end is told there when nothing can come any more.
  expect(await grove.read(async (read) => (await read.timers({ limit: 9 })).map(({ kind }) => kind))).toContain(
    "status",
  );
});

test("a result whose answer is lost stands there once, unmarked", async () => {
  const { telegram, grove, ada, gate, said } = await openChat();
  await ada.says("/spawn --label census oaks");
  await ada.hears(/: on oaks$/);
  const lost = await telegram.faults.add({ kind: "drop-answer", method: "editMessageText", times: 2 });
  gate.open();
  await lost.met(2);
  await ada.hears("✅ census is done: see above.", { once: true });
  await grove.rests();
  expect((await said()).filter((text) => text.includes("on oaks: 42"))).toEqual([
    expect.stringMatching(/^✅ census · done/),
  ]);
  const states = (await grove.deliveries()).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(["sent"]));
});

test("where the status is deleted meanwhile another message takes its place and becomes the result", async () => {
  const { grove, ada, gate, said } = await openChat();
  await ada.says("/spawn --label census oaks");
  const { messageId } = await ada.hears(/^🌱 census is at work/);
  await ada.erases(messageId);
  gate.open();
  await ada.hears("✅ census is done: see above.", { once: true });
  await grove.rests();
  const [result, ...more] = (await said()).filter((text) => !text.startsWith("🌱"));
  expect([result, more]).toEqual([
    expect.stringMatching(/^✅ census · done in .*\n\non oaks: 42$/s),
    ["✅ census is done: see above."],
  ]);
});

test("the status of a sub-agent that ends in silence says that it has ended, also by the next process", async () => {
  const agent = createScriptedAgent((turn) =>
    turn.spec.sessionKey.includes(":subagent:") ? say("ANNOUNCE_SKIP") : say("yes"),
  );
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ runtimes: agent.runtimes, config: agent.config, env });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("/spawn --label census oaks");
  await ada.hears(/^🌱 census is at work/);
  await grove.until("the end", () =>
    grove.read(async (read) => (await read.runs({ limit: 9 })).find(({ state }) => state === "ended")),
  );
  await grove.restart({ ports: { clock: createHurriedClock(HURRY) } });
  await ada.hears("✅ census is done.", { once: true });
});

test.each([
  ["at-least-once", 2, ["sent_maybe_repeated"]],
  ["at-most-once", 1, ["unknown"]],
] as const)("an account with %s tells of an end in a message of its own", async (delivery, copies, states) => {
  const { telegram, grove, ada, gate, said } = await openChat({ delivery });
  await ada.says("/spawn --label census oaks");
  await ada.hears(/^🌱 census is at work/);
  const lost = await telegram.faults.add({ kind: "drop-answer", method: "sendMessage" });
  gate.open();
  await lost.met();
  await grove.rests();
  const told = (await said()).filter((text) => text.includes("on oaks: 42"));
  expect(told).toHaveLength(copies);
  expect(told.slice(1).every((text) => text.startsWith("(may be repeated)\n✅ census"))).toBe(true);
  const rows = await grove.deliveries();
  expect(rows.filter(({ kind }) => kind === "completion").map(({ state }) => state)).toEqual(states);
});
