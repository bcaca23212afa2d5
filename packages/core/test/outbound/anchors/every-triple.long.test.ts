import { formatAddress } from "@banyan/plugin-sdk";
import type { NewDelivery } from "@banyan/store";
import { expect, it } from "vitest";
import { composeDeliveries } from "../../../src/outbound/compose-deliveries.ts";
import { MortalWorld } from "./mortal-world.ts";

const ADDRESS = formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada" });
const LIMIT = { limit: 60, measure: (text: string) => text.length };
const COMING = "it comes here";
const CALL = "see above";
const TEXT = ["one ".repeat(6), "two ".repeat(6), "six ".repeat(6)].join("\n\n");

/** The status of a run, its result in three parts that takes its place, and the line that calls attention to it. */
function listRows(): readonly NewDelivery[] {
  const common = { address: ADDRESS, limit: LIMIT } as const;
  const status = composeDeliveries({
    ...common,
    deliveryId: "status",
    kind: "command",
    text: "at work",
    policy: "at-least-once",
  });
  const anchor = { claims: "status.0", placeholder: () => COMING };
  const result = composeDeliveries({ ...common, deliveryId: "d", kind: "reply", text: TEXT, policy: "anchor", anchor });
  const behind = result.at(-1)?.id ?? "";
  const policy = "at-most-once";
  const call = composeDeliveries({ ...common, deliveryId: "call", kind: "status", text: CALL, policy, behind });
  return [...status, ...result, ...call];
}

/** Plays the rows to their ends in this world. */
async function settle(world: MortalWorld) {
  const rows = listRows();
  const item = { lane: "", dedupe: "w", nativeId: "n", kind: "message", address: "none", body: "{}" } as const;
  await world.store.commit({
    step: "receive",
    account: { channel: "irc", account: "default" },
    items: [{ ...item, refused: "none", laneCap: 0, deliveries: rows }],
  });
  const ends = await world.settle();
  world.close();
  const parts = rows.filter(({ deliveryId }) => deliveryId === "d").map(({ body }): string => JSON.parse(body).text);
  return { ends, parts };
}

async function play(faults: readonly number[]): Promise<MortalWorld> {
  const world = new MortalWorld(faults);
  const { ends, parts } = await settle(world);
  const story = () => JSON.stringify({ faults, lines: world.lines, ends: ends.map(({ id, state }) => [id, state]) });
  // 0 lost, in their order, and 0 repeats: of the result nothing stands anywhere else, nor ever did.
  const shown = world.lines.filter(({ text }) => parts.includes(text)).map(({ text }) => text);
  if (JSON.stringify(shown) !== JSON.stringify(parts)) throw new Error(story());
  for (const part of parts) {
    if (world.lines.filter(({ said }) => said.some((text) => text.includes(part.trim()))).length !== 1)
      throw new Error(story());
  }
  const isRest = (text: string) => text === COMING || text === CALL || /^(\(may be repeated\)\n)?at work$/.test(text);
  if (!world.lines.every(({ text }) => parts.includes(text) || isRest(text))) throw new Error(story());
  if (world.lines.filter(({ text }) => text === CALL).length > 1) throw new Error(story());
  const states = ends.filter(({ deliveryId }) => deliveryId === "d").map(({ state }) => state);
  if (states.some((state) => state !== "sent")) throw new Error(story());
  return world;
}

it("without a fault the status becomes the first part, and each other part its own line", async () => {
  const { lines } = await play([]);
  expect(lines).toHaveLength(4);
  expect(lines[0]?.said).toEqual(["at work", lines[0]?.text]);
  expect(lines[1]?.said[0]).toBe(COMING);
  expect(lines[3]?.text).toBe(CALL);
});

// A fixed amount of work has no limit.
it("over every triple of faults nothing of the result is lost or repeated", { timeout: 0 }, async () => {
  const { places } = await play([]);
  let worlds = 0;
  for (let first = 0; first < places; first += 1) {
    const { places: more } = await play([first]);
    for (let second = first + 1; second < more; second += 1) {
      const { places: most } = await play([first, second]);
      for (let third = second + 1; third < most; third += 1) await play([first, second, third]);
      worlds += most - second;
    }
  }
  // Both what is struck and how often: a world whose faults are never met would prove nothing.
  expect(places).toBeGreaterThan(40);
  expect(worlds).toBeGreaterThan(20_000);
});

const MARK = "(may be repeated)\n";

/** Where no edit is taken each part is a new message: none is lost, and a repeat says that it may be one. */
async function playRefused(faults: readonly number[]): Promise<MortalWorld> {
  const world = new MortalWorld(faults, { refusesEdits: true });
  const { ends, parts } = await settle(world);
  const texts = world.lines.map(({ text }) => text);
  const story = JSON.stringify({ faults, texts, ends: ends.map(({ id, state }) => [id, state]) });
  const firsts = parts.map((part) => texts.findIndex((text) => text === part || text === MARK + part));
  if (firsts.some((at, index) => at < 0 || at < (firsts[index - 1] ?? 0))) throw new Error(story);
  if (parts.some((part) => texts.filter((text) => text === part).length > 1)) throw new Error(story);
  const isRest = (text: string) => text === COMING || text === CALL || /^(\(may be repeated\)\n)?at work$/.test(text);
  const isPart = (text: string) => parts.includes(text.startsWith(MARK) ? text.slice(MARK.length) : text);
  if (!texts.every((text) => isPart(text) || isRest(text))) throw new Error(story);
  const states = ends.filter(({ deliveryId }) => deliveryId === "d").map(({ state }) => state);
  if (states.some((state) => state !== "sent" && state !== "sent_maybe_repeated")) throw new Error(story);
  return world;
}

it("where edits are refused the status stays, and each part is a message of its own", async () => {
  const { lines } = await playRefused([]);
  const texts = lines.map(({ text }) => text);
  expect([texts[0], texts.at(-1)]).toEqual(["at work", CALL]);
  expect(texts.filter((text) => text !== COMING)).toHaveLength(5);
});

// A fixed amount of work has no limit.
it("over every pair of faults with refused edits nothing is lost, and no repeat is unmarked", {
  timeout: 0,
}, async () => {
  const { places } = await playRefused([]);
  let worlds = 0;
  for (let first = 0; first < places; first += 1) {
    const { places: more } = await playRefused([first]);
    for (let second = first + 1; second < more; second += 1) await playRefused([first, second]);
    worlds += more - first;
  }
  expect(places).toBeGreaterThan(40);
  expect(worlds).toBeGreaterThan(1_000);
});
