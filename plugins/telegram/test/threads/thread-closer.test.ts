import { expect, test } from "vitest";
import { type Forum, OPENING, openForum, readHall } from "./forum.ts";

const { bindingId, hello } = OPENING;
const GOODBYE = "✅ “census” is done and has left this thread.";

async function open(forum: Forum) {
  const { address } = await forum.threads.open({ ...OPENING, parent: forum.address() });
  const archive = (by: Forum = forum) =>
    by.threads.archive({ bindingId, address, name: "✅ census", goodbye: GOODBYE });
  const [topic] = (await forum.hall.history()).topics;
  return { address, archive, topicId: topic?.id ?? 0 };
}

test("a topic that closes has a goodbye, the mark of its end in its name, and is closed; once, in whichever life", async () => {
  const forum = await openForum();
  const { archive } = await open(forum);
  await archive();
  const closed = [["✅ census (closed)", [hello, GOODBYE]]];
  expect(await readHall(forum)).toEqual(closed);
  await archive();
  const next = await forum.reconnect();
  await archive(next);
  expect(await readHall(next)).toEqual(closed);
});

test("a goodbye of unclear end is said again, and says so", async () => {
  const forum = await openForum();
  const { archive } = await open(forum);
  await forum.telegram.faults.add({ kind: "drop-answer", method: "sendMessage", times: 1 });
  await expect(archive()).rejects.toMatchObject({ class: "ambiguous" });
  await archive(await forum.reconnect());
  expect(await readHall(forum)).toEqual([["✅ census (closed)", [hello, GOODBYE, `(may be repeated)\n${GOODBYE}`]]]);
});

test("a goodbye that was refused for now is said once", async () => {
  const forum = await openForum();
  const { archive } = await open(forum);
  await forum.telegram.faults.add({ kind: "too-many-requests", method: "sendMessage", retryAfterS: 9, times: 1 });
  await expect(archive()).rejects.toMatchObject({ class: "rate_limited" });
  await archive();
  expect(await readHall(forum)).toEqual([["✅ census (closed)", [hello, GOODBYE]]]);
});

test("T22: a name that it has already, and a topic that is closed already, are no errors", async () => {
  const forum = await openForum();
  const { address, archive, topicId } = await open(forum);
  await forum.threads.rename({ address, name: "✅ census" });
  await forum.threads.rename({ address, name: "✅ census" });
  await forum.hall.closesTopic(topicId, forum.ada);
  await archive();
  expect(await readHall(forum)).toEqual([["✅ census (closed)", [hello, GOODBYE]]]);
});

test("T20: a topic that somebody has closed is left as it stands where the bot may not write there", async () => {
  const forum = await openForum();
  const { archive, topicId } = await open(forum);
  await forum.hall.promotes(forum.bot, forum.ada, { rights: { can_manage_topics: false } });
  await forum.hall.closesTopic(topicId, forum.ada);
  await archive();
  expect(await readHall(forum)).toEqual([["census (closed)", [hello]]]);
});

test.each([
  ["T18", { code: 400, description: "Bad Request: message thread not found" }],
  ["T21", { code: 400, description: "Bad Request: TOPIC_DELETED" }],
])("%s: a topic that is gone is said to be", async (_, refusal) => {
  const forum = await openForum();
  const { address, archive } = await open(forum);
  await forum.telegram.faults.add({ kind: "refuse", ...refusal, times: "always" });
  await expect(archive()).rejects.toMatchObject({ class: "thread_gone" });
  await expect(forum.threads.rename({ address, name: "x" })).rejects.toMatchObject({ class: "thread_gone" });
  expect(await forum.threads.probe(address)).toBe("gone");
});

test("a topic that stands is open", async () => {
  const forum = await openForum();
  const { address } = await open(forum);
  expect(await forum.threads.probe(address)).toBe("open");
});
