import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { LaneDesk } from "./lane-desk.ts";

/** Lanes whose turns were active at two deaths in a row: each is a suspect. */
async function putSuspects(desk: LaneDesk, lanes: readonly string[]): Promise<void> {
  await desk.put(lanes);
  for (const death of ["one", "two"]) {
    for (const lane of lanes)
      await desk.store.commit({ step: "claim", lane, owner: "dead", claimId: `${death} ${lane}` });
    await desk.store.commit({ step: "recover", owner: `after ${death}` });
  }
}

/** Turns end when a test says so, each by its lane. */
function gateTurns(desk: LaneDesk): (lane: string) => Promise<void> {
  const gates = new Map<string, () => void>();
  desk.turn = ({ lane }) => new Promise((resolve) => gates.set(lane, resolve));
  return async (lane) => {
    gates.get(lane)?.();
    await quiet();
  };
}

it("suspects run one at a time, in order, and every other turn runs beside them", async () => {
  const desk = new LaneDesk();
  const end = gateTurns(desk);
  await putSuspects(desk, ["a", "b", "c"]);
  await desk.put(["ada", "bob"]);
  await desk.lanes.resume();
  await quiet();
  expect(desk.begun.toSorted()).toEqual(["a 1", "ada 4", "bob 5"]);
  await end("ada");
  expect(desk.begun).not.toContain("b 2");
  await end("a");
  await end("b");
  expect(desk.begun.slice(3)).toEqual(["b 2", "c 3"]);
  await end("c");
  await end("bob");
  expect(desk.lanes.size).toBe(0);
});

it("a suspect that waits for its slot takes no place of others, and what comes in is claimed at once", async () => {
  const desk = new LaneDesk(() => "none", 2);
  const end = gateTurns(desk);
  await putSuspects(desk, ["a", "b", "c"]);
  await desk.lanes.resume();
  await quiet();
  expect([desk.lanes.hasRoom, desk.lanes.has("b"), desk.lanes.size]).toEqual([true, true, 3]);
  await desk.put(["ada"]);
  desk.lanes.wake("ada");
  await quiet();
  expect(desk.begun).toEqual(["a 1", "ada 4"]);
  for (const lane of ["ada", "a", "b", "c"]) await end(lane);
  expect(desk.begun).toEqual(["a 1", "ada 4", "b 2", "c 3"]);
});

it("a suspect that makes progress lets the next one run beside it", async () => {
  const desk = new LaneDesk();
  const end = gateTurns(desk);
  await putSuspects(desk, ["a", "b"]);
  await desk.lanes.resume();
  await quiet();
  const { epoch, item } = desk.claims[0] ?? expect.fail("no turn has begun");
  const step = { step: "tool_result", lane: "a", epoch, sessionId: "id of a", itemSeq: item.seq } as const;
  await desk.store.commit({ ...step, entries: [{ id: "e", body: '{"id":"e"}' }] });
  desk.lanes.noteProgress("a");
  await quiet();
  expect(desk.begun).toEqual(["a 1", "b 2"]);
  await end("a");
  await end("b");
});

it("a suspect parent that waits for its suspect child lets it run, and is no suspect itself any more", async () => {
  const desk = new LaneDesk(() => "none", 2, 1);
  const child = "agent:main:subagent:child";
  const below = "agent:main:subagent:below";
  const over = new Map([child, below].map((lane) => [lane, Promise.withResolvers<void>()]));
  desk.turn = async ({ lane }) => {
    const next = { parent: child, [child]: below }[lane];
    if (next !== undefined) await desk.lanes.rest(lane, async () => over.get(next)?.promise);
    over.get(lane)?.resolve();
  };
  await putSuspects(desk, ["parent", child, below]);
  await desk.lanes.resume();
  for (let turn = 0; turn < 5; turn += 1) await desk.ports.clock.advance(1_000);
  await quiet();
  expect(desk.begun.toSorted()).toEqual([`${below} 3`, `${child} 2`, "parent 1"]);
  expect(desk.lanes.size).toBe(0);
});

it("a suspect that hangs keeps the others waiting for a minute and no longer", async () => {
  const desk = new LaneDesk();
  const end = gateTurns(desk);
  await putSuspects(desk, ["a", "b", "c"]);
  await desk.lanes.resume();
  await desk.ports.clock.advance(59_999);
  await quiet();
  expect(desk.begun).toEqual(["a 1"]);
  await desk.ports.clock.advance(1);
  await quiet();
  expect(desk.begun).toEqual(["a 1", "b 2"]);
  await end("b");
  expect(desk.begun).toEqual(["a 1", "b 2", "c 3"]);
  await end("c");
  expect(await desk.store.read.item(1)).toMatchObject({ state: "active", deaths: 2 });
  await end("a");
});

it("a suspect that another process still has keeps nobody waiting for ever", async () => {
  const desk = new LaneDesk();
  await putSuspects(desk, ["a", "b"]);
  const held = await desk.store.commit({ step: "claim", lane: "a", owner: "owner", claimId: "held" });
  if (held.status !== "done") throw new Error("The lane a was claimed: it was refused");
  await desk.lanes.resume();
  await quiet();
  expect(desk.begun).toEqual([]);
  await desk.store.commit({ step: "release", lane: "a", epoch: held.claim.epoch, giveBackAttempt: true });
  for (let pass = 0; pass < 3; pass += 1) await desk.ports.clock.advance(1_000);
  await quiet();
  expect(desk.begun).toContain("b 2");
});
