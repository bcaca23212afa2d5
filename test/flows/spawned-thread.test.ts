import { expect, test } from "vitest";
import type { CanopyFault } from "../stage/canopy-platform.ts";
import { type CanopyOptions, type CanopyTown, openCanopyTown } from "../stage/canopy-town.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createListener } from "../stage/scripted-agent.ts";

const GROVE = { group: "grove" };
const THERE = { thread: "t1" };

const openTown = (options: CanopyOptions = {}) => openCanopyTown({ ...createListener(), ...options });

/** What a spawn leaves in the store: sessions of children, and what is bound to them. */
async function leftOf({ grove }: CanopyTown): Promise<{ children: number; bindings: number; unfinished: number }> {
  return grove.read(async (read) => ({
    children: (await read.sessions({ limit: 99 })).filter(({ key }) => key.includes(":subagent:")).length,
    bindings: (await read.routes()).bindings.length,
    unfinished: (await read.counts()).unfinishedRuns,
  }));
}

test("a spawn with a thread works there, tells where it was asked for, and goes on there with whoever writes", async () => {
  const town = await openTown();
  const [ada, bob] = [town.person("ada"), town.person("bob")];
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  expect(await ada.hears(/census/, GROVE)).toMatchObject({ kind: "command" });
  expect(await ada.hears("heard: count the trees", THERE)).toMatchObject({ kind: "reply" });
  expect(await ada.hears(/census.*done.*heard: count the trees/s, GROVE)).toMatchObject({ kind: "completion" });
  // It stays open, and its name says how the run has ended.
  await town.platform.until("the mark", () => town.record.threads.find(({ name }) => name === "✅ census"));
  expect(town.record.threads).toMatchObject([
    {
      place: { kind: "group", chat: "grove" },
      state: "open",
      hello: "🌱 “census” works here; write to it.",
      opens: 1,
    },
  ]);
  // Nobody need name the bot there, and what was begun goes on after a restart.
  bob.mumbles("and the birds", THERE);
  await bob.hears("heard: and the birds", THERE);
  await town.grove.restart();
  ada.mumbles("and the bees", THERE);
  await ada.hears("heard: and the bees", THERE);
  await town.grove.rests();
  expect(await leftOf(town)).toEqual({ children: 1, bindings: 1, unfinished: 0 });
  expect(town.textsAt("ada", GROVE)).toHaveLength(2);
});

/** So many times shorter are the pauses between the tries to open a thread, and the 30 s for all of them. */
const PAUSES = 10;

test("a spawn in a direct chat has its thread there", async () => {
  const town = await openTown();
  const ada = town.person("ada");
  await ada.says("/spawn --thread count the trees");
  await ada.hears(/count the trees/);
  expect(town.record.threads).toMatchObject([{ place: { kind: "dm", chat: "ada" }, name: "count the trees" }]);
  await ada.hears("heard: count the trees", THERE);
  await ada.says("and the birds", THERE);
  await ada.hears("heard: and the birds", THERE);
});

test.each<[string, CanopyFault]>([
  ["the platform is closed", 503],
  ["the call is cut off", "cut"],
  ["the answer is lost", "lost"],
])("a spawn is not refused where %s once, nor twice: its thread is opened, once", async (_why, fault) => {
  const town = await openTown({ ports: { clock: createHurriedClock(PAUSES) } });
  town.platform.fail("open", fault, 2);
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(/census.*done/, GROVE);
  expect(town.record.threads).toHaveLength(1);
  expect(await leftOf(town)).toEqual({ children: 1, bindings: 1, unfinished: 0 });
});

test.each<[string, CanopyFault, number, number]>([
  ["the platform forbids it", 403, 1, 0],
  ["the platform is closed", 503, 3, 0],
  ["the call is cut off", "cut", 3, 0],
  // It stands, and is taken back.
  ["the answer is lost", "lost", 3, 1],
])(
  "a spawn whose thread cannot be opened because %s is refused and leaves nothing",
  async (_why, fault, times, opened) => {
    const town = await openTown({ ports: { clock: createHurriedClock(PAUSES) } });
    town.platform.fail("open", fault, times);
    const ada = town.person("ada");
    await ada.says("/spawn --thread --label census count the trees", GROVE);
    const { text } = await ada.hears(/thread/, GROVE);
    expect(text).toContain("it could not be opened");
    expect(text).toContain("spawn without a thread");
    await town.grove.rests();
    expect(town.record.threads.map(({ state }) => state)).toEqual(opened === 0 ? [] : ["gone"]);
    expect(await leftOf(town)).toEqual({ children: 0, bindings: 0, unfinished: 0 });
    await ada.says("/spawn --thread --label census count the trees", GROVE);
    await ada.hears(/census.*done/, GROVE);
  },
);

test("what tells of the end stands there once where its answer is lost, in the thread and outside", async () => {
  const town = await openTown({ ports: { clock: createHurriedClock(50) } });
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(/census/, GROVE);
  town.platform.fail("send", "lost", 2);
  town.platform.fail("send", 503, 2);
  await ada.hears(/census.*done/, GROVE);
  await town.grove.rests();
  expect(town.textsAt("ada", GROVE)).toHaveLength(2);
  expect(town.textsAt("ada", THERE)).toEqual(["heard: count the trees"]);
  expect((await town.grove.deliveries()).map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
});

test("a stranger's taps open the thread, choose the place and deliver what tells of the end, each by hand", async () => {
  const town = await openTown({ account: { taps: ["spawning", "target", "announce"] } });
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(/census/, GROVE);
  expect(town.record.threads).toMatchObject([{ name: "✂ census", hello: "by hand" }]);
  await ada.hears("heard: count the trees", THERE);
  expect(await ada.hears(/【done in t1】.*census/, { group: "lodge" })).toMatchObject({ kind: "embed" });
  await town.grove.rests();
  expect(town.textsAt("ada", GROVE)).toHaveLength(1);
});

test.each([
  ["answer nonsense", "nonsense", /no thread could be created or bound/],
  ["throw", "throws", /hook_failed/],
])("a stranger's taps that %s: no thread, and the spawn says so", async (_what, taps, said) => {
  const town = await openTown({ account: { taps: [taps] } });
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(said, GROVE);
  await town.grove.rests();
  expect(town.record.threads).toEqual([]);
  expect(await leftOf(town)).toEqual({ children: 0, bindings: 0, unfinished: 0 });
});

test("a thread that is gone leads nowhere any more, and what could not be said there is kept in the outbox", async () => {
  const town = await openTown();
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(/census.*done/s, GROVE);
  await ada.hears("heard: count the trees", THERE);
  town.platform.fail("send", 404);
  ada.mumbles("and the birds", THERE);
  await expect.poll(() => leftOf(town)).toEqual({ children: 1, bindings: 0, unfinished: 0 });
  const lost = await town.grove.read((read) => read.deliveries({ states: ["undeliverable"], limit: 9 }));
  expect(lost.map(({ body }) => JSON.parse(body).text)).toEqual(["heard: and the birds"]);
});
