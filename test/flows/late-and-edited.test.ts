import { createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { createListener, createScriptedAgent } from "../stage/scripted-agent.ts";
import { openWireTown } from "../stage/wire-town.ts";

const HOUR_MS = 3_600_000;

test("attack 29: what an edit changes while it waits is what the agent is asked; later edits change nothing", async () => {
  const gate = createGate();
  const agent = createScriptedAgent((turn) => {
    const heard = say(`heard: ${turn.input.input.map(({ text }) => text).join()}`);
    return turn.index === 0 ? [wait(gate), ...heard] : heard;
  });
  const { grove, says, hears } = await openWireTown(agent);
  await says("1", "one", { id: "a" });
  await says("1", "tow", { id: "b" });
  expect(await says("1", "two", { id: "b", editedAt: 5 })).toBe("refused");
  expect(await says("1", "won", { id: "a", editedAt: 6 })).toBe("refused");
  gate.open();
  await hears("1", "heard: one");
  await hears("1", "heard: two");
  expect(await says("1", "too", { id: "b", editedAt: 7 })).toBe("refused");
  await grove.rests();
  expect(agent.record.attempts).toHaveLength(2);
});

test("what grew old while the gateway was away is left out and said; 0 hours takes all", async () => {
  const agent = createListener();
  const { grove, says, hears, sentTo } = await openWireTown(agent);
  const at = Date.now() - 25 * HOUR_MS;
  expect(await says("1", "long ago", { at })).toBe("refused");
  expect(await says("1", "also long ago", { at })).toBe("refused");
  expect(await says("1", "/status", { at })).toBe("refused");
  expect(await says("1", "this morning", { at: Date.now() - 23 * HOUR_MS })).toBe("stored");
  await hears("1", "heard: this morning");
  const time = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  expect(await sentTo("1")).toEqual([
    `While I was away your message of ${time} grew older than 24 h and was left out; send it again if it still matters.`,
    "heard: this morning",
  ]);
  expect(grove.log.filter((line) => line.includes("is this machine's clock right"))).toHaveLength(1);

  const patient = await openWireTown({ ...agent, account: { catchUpHours: 0 } });
  expect(await patient.says("1", "long ago", { at: 1 })).toBe("stored");
  await patient.hears("1", "heard: long ago");
});
