import { expect, test } from "vitest";
import { chooseTopicIcon, resolveTopicState } from "../../src/threads/topic-icon.ts";
import { type Forum, OPENING, openForum } from "./forum.ts";

const icons = [
  { emoji: "✅", customEmojiId: "1" },
  { emoji: "⚡️", customEmojiId: "2" },
  { emoji: "💡", customEmojiId: "3" },
];

test("the first sign that Telegram has is taken, in whichever look; where it has none there is none", () => {
  expect(chooseTopicIcon("working", icons)).toBe("2");
  expect(chooseTopicIcon("done", icons)).toBe("1");
  expect(chooseTopicIcon("failed", icons)).toBeUndefined();
});

test.each([
  ["done", "done"],
  ["killed", "stopped"],
  ["failed", "failed"],
  ["timeout", "failed"],
  ["interrupted", "failed"],
] as const)("a run that ended %s is shown as %s", (outcome, state) => {
  expect(resolveTopicState(outcome)).toBe(state);
});

async function readIcon({ hall }: Forum): Promise<string | undefined> {
  return (await hall.history()).topics[0]?.icon;
}

const open = ({ threads, address }: Forum) => threads.open({ ...OPENING, parent: address() });

test.each([
  ["done", "✅"],
  ["killed", "🏁"],
  ["failed", "❗️"],
] as const)("a topic has the icon of one at work, and that of its end: %s", async (outcome, icon) => {
  const forum = await openForum();
  const { address } = await open(forum);
  expect(await readIcon(forum)).toBe("⚡️");
  await forum.threads.rename({ address, name: "census", outcome });
  expect(await readIcon(forum)).toBe(icon);
  // Done again, as after a death, it is no error.
  await forum.threads.rename({ address, name: "census", outcome });
  await forum.threads.archive({ bindingId: OPENING.bindingId, address, name: "✅ census", outcome });
  expect(await forum.telegram.record({ method: "getForumTopicIconStickers" })).toHaveLength(1);
});

test("a list that cannot be had keeps no topic from being opened, and is asked for again", async () => {
  const forum = await openForum();
  const fault = await forum.telegram.faults.add({ kind: "server-error", method: "getForumTopicIconStickers" });
  const { address } = await open(forum);
  await fault.met();
  expect(await readIcon(forum)).toBeUndefined();
  await forum.threads.rename({ address, name: "census", outcome: "done" });
  expect(await readIcon(forum)).toBe("✅");
});

test("an icon that Telegram takes no more is left out", async () => {
  const forum = await openForum();
  const refusal = { kind: "refuse", code: 400, description: "Bad Request: DOCUMENT_INVALID" } as const;
  await forum.telegram.faults.add({ ...refusal, method: "createForumTopic" });
  const { address } = await open(forum);
  expect(await readIcon(forum)).toBeUndefined();
  await forum.telegram.faults.add({ ...refusal, method: "editForumTopic" });
  await forum.threads.rename({ address, name: "✅ census", outcome: "done" });
  const [topic] = (await forum.hall.history()).topics;
  expect([topic?.name, topic?.icon]).toEqual(["✅ census", undefined]);
});
