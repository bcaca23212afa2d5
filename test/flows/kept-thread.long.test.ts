import { expect, test } from "vitest";
import { openCanopyTown } from "../stage/canopy-town.ts";
import { createListener } from "../stage/scripted-agent.ts";

const GROVE = { group: "grove" };
const THERE = { thread: "t1" };

test("a thread that closes with its run says goodbye behind the last words", async () => {
  const town = await openCanopyTown(createListener());
  const ada = town.person("ada");
  await ada.says("/spawn --thread --mode run --label census count the trees", GROVE);
  await ada.hears(/census.*done/s, GROVE);
  await ada.hears("✅ “census” is done and has left this thread.", THERE);
  expect(town.textsAt("ada", THERE)).toEqual([
    "heard: count the trees",
    "✅ “census” is done and has left this thread.",
  ]);
  expect(town.record.threads).toMatchObject([{ name: "✅ census", state: "archived" }]);
});

test("what tells of the end leads to the thread, and the thread's name tells of it", async () => {
  const town = await openCanopyTown({ ...createListener(), account: { taps: ["announce"] } });
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(/^【done in t1】 .*census/, GROVE);
  await town.platform.until("the mark", () => town.record.threads.find(({ name }) => name === "✅ census"));
  expect(town.record.threads).toMatchObject([{ state: "open" }]);
});

test("a thread that a moderator deletes leads nowhere from then on, over restarts as well", async () => {
  const town = await openCanopyTown(createListener());
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(/census.*done/s, GROVE);
  const told = town.platform.deleteThread("t1");
  await town.platform.until("the news to be stored", () => town.platform.hasTaken(told) || undefined);
  expect((await town.grove.read((read) => read.routes())).bindings).toEqual([]);
  await town.grove.restart();
  await ada.says("hello", GROVE);
  await ada.hears("heard: hello", GROVE);
  expect((await town.grove.read((read) => read.routes())).bindings).toEqual([]);
});
