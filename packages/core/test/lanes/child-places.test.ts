import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { LaneDesk } from "./lane-desk.ts";

const child = (name: string) => `agent:main:subagent:${name}`;

async function begin(desk: LaneDesk, lanes: readonly string[]): Promise<void> {
  await desk.put(lanes);
  for (const lane of lanes) desk.lanes.wake(lane);
  await quiet();
}

it("sub-agents run as many at once as there are places, and people's turns beside them", async () => {
  const desk = new LaneDesk(undefined, undefined, 2);
  const ends = new Map<string, () => void>();
  desk.turn = ({ lane }) => new Promise((resolve) => ends.set(lane, resolve));
  await begin(desk, [child("a"), child("b"), child("c"), "ada"]);
  expect([...ends.keys()].toSorted()).toEqual(["ada", child("a"), child("b")]);
  ends.get(child("a"))?.();
  await quiet();
  expect(ends.has(child("c"))).toBe(true);
});

it("a parent that waits for its child lets it run, and goes on when it has a place again", async () => {
  const desk = new LaneDesk(undefined, undefined, 1);
  const told: string[] = [];
  const childDone = Promise.withResolvers<void>();
  desk.turn = async ({ lane }) => {
    if (lane === child("parent")) {
      await desk.lanes.rest(lane, () => childDone.promise);
      told.push("parent goes on");
    } else {
      told.push("child runs");
      childDone.resolve();
      await quiet();
      told.push("child ends");
    }
  };
  await begin(desk, [child("parent"), child("child")]);
  while (told.length < 3) await quiet();
  expect(told).toEqual(["child runs", "child ends", "parent goes on"]);
});

it("a turn that was ended while it rested takes no place back", async () => {
  const desk = new LaneDesk(undefined, undefined, 1);
  const work = Promise.withResolvers<void>();
  let rest: Promise<void> | undefined;
  desk.turn = async ({ lane }) => {
    if (lane === child("gone")) rest = desk.lanes.rest(lane, () => work.promise);
  };
  await begin(desk, [child("gone"), child("next")]);
  expect(desk.begun).toHaveLength(2);
  work.resolve();
  await rest;
  await begin(desk, [child("third")]);
  expect(desk.begun).toHaveLength(3);
});

it("two calls of one turn that wait take one place back", async () => {
  const desk = new LaneDesk(undefined, undefined, 1);
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  desk.turn = async ({ lane }) => {
    if (lane !== child("parent")) return;
    const calls = [one, two].map(({ promise }) => desk.lanes.rest(lane, () => promise));
    await Promise.all(calls);
  };
  await begin(desk, [child("parent"), child("b")]);
  expect(desk.begun).toHaveLength(2);
  one.resolve();
  await begin(desk, [child("c")]);
  expect(desk.begun).toHaveLength(3);
  two.resolve();
  await quiet();
  await begin(desk, [child("d")]);
  expect(desk.begun).toHaveLength(4);
});
