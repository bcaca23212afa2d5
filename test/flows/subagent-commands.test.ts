import { expect, test } from "vitest";
import { openCanopyTown } from "../stage/canopy-town.ts";
import { createListener } from "../stage/scripted-agent.ts";

const GROVE = { group: "grove" };

test("a person gives a task a thread, directs it from outside, and frees the thread again, over restarts as well", async () => {
  const town = await openCanopyTown(createListener());
  const ada = town.person("ada");
  await ada.says("/spawn --thread --mode session --label census count the trees", GROVE);
  await ada.hears(/^🌱 \*\*census\*\* is at work/, GROVE);
  const thread = town.record.threads[0]?.id ?? "";
  const there = { thread };
  await ada.hears("heard: count the trees", there);
  await ada.hears(/^✅ \*\*census\*\*/, GROVE);

  await ada.says("/subagents send census and the birds", GROVE);
  await ada.hears("Sent to **census**. It answers in its thread.", GROVE);
  await ada.hears("heard: and the birds", there);
  ada.mumbles("/session idle 2h", there);
  await ada.hears("This thread belongs to its sub-agent until no one has written for 2 h, whatever its age.", there);
  ada.mumbles("/tree", there);
  await ada.hears(/^Here you talk with \*\*census\*\* \(done in /, there);

  await town.grove.restart();
  ada.mumbles("still there?", there);
  await ada.hears("heard: still there?", there);
  await ada.says("/unfocus", there);
  await ada.hears(/^This thread is free again: \*\*census\*\*/, there);
  await ada.says("and now?", there);
  await ada.hears("heard: and now?", there);
  await town.grove.rests();
  const keys = await town.grove.read(async (read) => (await read.sessions({ limit: 9 })).map(({ key }) => key));
  expect(keys).toContain(`agent:main:canopy:group:grove:thread:${thread}`);
});

test("a person turns a direct chat to a sub-agent and back; another person cannot, and a restart changes nothing", async () => {
  const agent = createListener();
  const town = await openCanopyTown(agent);
  const [ada, bob] = [town.person("ada"), town.person("bob")];
  await ada.says("/spawn --label census count the trees");
  await ada.hears(/^✅ \*\*census\*\*/);
  const key = await town.grove.read(async (read) => (await read.runs({ limit: 1 }))[0]?.childSessionKey ?? "");
  await bob.says(`/focus ${key}`);
  await bob.hears(/no sub-agent in this conversation/);
  await ada.says("/focus census");
  await ada.hears(/^You now talk with \*\*census\*\*/);
  await ada.says("/session max-age 3d");
  await ada.hears(/at most for 3 d \(in 3 d\)\.$/);
  await town.grove.restart();
  await ada.says("how many?");
  await ada.hears("heard: how many?");
  expect(
    agent.record
      .of(key)
      .at(-1)
      ?.input.map(({ text }) => text),
  ).toEqual(["how many?"]);
  await ada.says("/unfocus");
  await ada.hears(/^Here you talk with the agent again/);
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect(
    agent.record
      .of("agent:main:canopy:dm:ada")
      .at(-1)
      ?.input.map(({ text }) => text),
  ).toEqual(["hello"]);
  await town.grove.rests();
});
