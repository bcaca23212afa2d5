import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** Ada alone with a bot whose agent says what it heard, and is at work for ever where it hears `dig`. */
async function openChat(more: object = {}) {
  const agent = createScriptedAgent((turn) => async () => {
    const text = turn.input.input.map((message) => message.text).join("\n");
    if (text.startsWith("dig")) await turn.waitFor(new Promise(() => undefined));
    await turn.say(`heard: ${text}`);
    return undefined;
  });
  const { telegram, env } = await openTelegram([7]);
  const scout = { runtime: "scripted" } as const;
  const main = { ...scout, default: true, subagents: { allowAgents: ["main", "scout"] } };
  const grove = await openGrove({ runtimes: agent.runtimes, config: { agents: { main, scout }, ...more }, env });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  return { agent, grove, ada };
}

test("a person gives a task, looks at who works, and stops one", async () => {
  const { agent, grove, ada } = await openChat();
  await ada.says("/agents");
  await ada.hears(
    "• main (scripted), answers here\n• scout (scripted)\n\n/spawn <task> gives a task to a sub-agent of main, /spawn --agent scout <task> to another.",
  );
  await ada.says("/spawn --label census count the trees");
  await ada.hears(/^🌱 census is at work/);
  await ada.hears(/^✅ census · done in .*\n\nheard: count the trees$/s);
  await ada.says("/spawn --agent scout --label well dig a well");
  await ada.hears(/^🌱 well is at work/);
  await grove.until("the well's turn", () =>
    agent.record.attempts.find(({ input }) => input[0]?.text === "dig a well"),
  );

  await ada.says("/subagents list");
  const list = await ada.hears(
    /^1 at work, 2 in all\.\n1 {2}census {2}done .*\n2 {2}well {4}running .*\n\/subagents info 1 /,
  );
  expect(list.entities).toContainEqual(expect.objectContaining({ type: "pre" }));
  await ada.says("/tree");
  await ada.hears(/^1 at work, 2 in all\.\n├ census {3}done .* heard: count the trees\n└ well {5}running [^\n]*$/);

  await ada.says("/kill well");
  await ada.hears("Stopped well.", { once: true });
  await ada.says("/kill well");
  await ada.hears(/^Nothing to stop: well/);
  await grove.rests();
});

test("a person talks with a sub-agent and with the agent again, and says how long", async () => {
  const { agent, grove, ada } = await openChat();
  await ada.says("/spawn --label census count the trees");
  await ada.hears(/^✅ census/);
  await ada.says("/focus census");
  await ada.hears(/^You now talk with census \(done in .*\)/);
  await ada.says("and the birds");
  await ada.hears("heard: and the birds");
  await ada.says("/session idle 2h");
  await ada.hears(/ until no one has written for 2 h, whatever its age\.$/);
  await ada.says("/session max-age 3d");
  await ada.hears(/ until no one has written for 2 h, at most for 3 d \(in 3 d\)\.$/);
  await grove.restart();
  await ada.says("and the bees");
  await ada.hears("heard: and the bees");
  await ada.says("/unfocus");
  await ada.hears(/^Here you talk with the agent again/);
  await ada.says("and now?");
  await ada.hears("heard: and now?");
  await grove.rests();
  const key = await grove.read(async (read) => (await read.runs({ limit: 9 }))[0]?.childSessionKey ?? "");
  const heard = agent.record.of(key).map(({ input }) => input[0]?.text);
  expect(heard).toEqual(["count the trees", "and the birds", "and the bees"]);
});

test("a thread of its own is refused where threads are switched off, and nothing is begun", async () => {
  const { grove, ada } = await openChat({ threads: { enabled: false } });
  await ada.says("/spawn --thread --label census count the trees");
  await ada.hears("⚠ Spawning a sub-agent: threads are switched off in the configuration; omit --thread.", {
    once: true,
  });
  await grove.rests();
  expect(await grove.read(async (read) => (await read.runs({ limit: 9 })).length)).toBe(0);
});
