import { expect, test } from "vitest";
import { type GrowingLife, type GrowingTown, openGrowingTown } from "./growing-town.ts";

const [SEND, EDIT, DELETE] = ["sendMessage", "editMessageText", "deleteMessage"] as const;
const EDITS = { config: { growingAnswers: "edits" } } as const;
const ANSWER = "Once upon a time";
const LATE_MS = 20_000;

async function openLife(): Promise<{ town: GrowingTown; life: GrowingLife; messageId: number }> {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  life.grow("Once");
  for (const delayMs of [1_500, 1_000]) await life.passes(delayMs);
  const { messageId } = await town.ada.hears("Once ▍");
  return { town, life, messageId };
}

/** The next edit of the growing answer is lost on its way. */
async function losesEdit({ telegram }: GrowingTown, life: GrowingLife): Promise<void> {
  await telegram.faults.add({ kind: "drop-request", method: EDIT });
  life.grow("Once upon");
  await life.passes(3_000);
  await life.account.says(/could not be shown/);
}

async function readChat({ ada }: GrowingTown): Promise<readonly string[]> {
  return (await ada.messages()).map(({ text }) => text);
}

test("T56: a growing edit that Telegram makes after the answer does not overwrite it", async () => {
  const { town, life, messageId } = await openLife();
  const late = await town.telegram.faults.hold({ method: EDIT, at: "request", times: 1 });
  life.grow("Once upon");
  await life.passes(3_000);
  await late.reached();
  life.account.hangsUp(EDIT);
  await life.account.says(/could not be shown/);
  expect(await life.answers(ANSWER)).not.toBe(messageId);
  await late.release();
  expect(await readChat(town)).toEqual([ANSWER]);
  expect(life.account.cursor).not.toContain("turn-1");
});

test("T56: a growing edit of an earlier life that comes after the answer of the next one does not overwrite it", async () => {
  const { town, life, messageId } = await openLife();
  const late = await town.telegram.faults.hold({ method: EDIT, at: "request", times: 1 });
  life.grow("Once upon");
  await life.passes(3_000);
  await late.reached();
  const { cursor } = life.account;
  const next = await town.lives({ ...EDITS, cursor });
  const repeatMark = "(may be repeated)\n";
  const again = { attempt: 2, mayHaveArrived: true, repeatMark };
  expect(await next.answers(`${repeatMark}${ANSWER}`, again)).not.toBe(messageId);
  await late.release();
  await life.account.close();
  expect(await readChat(town)).toEqual([ANSWER]);
});

test("T56: when the edit can come no more the answer takes the message", async () => {
  const { town, life, messageId } = await openLife();
  await losesEdit(town, life);
  life.ends();
  life.account.clock.advance(LATE_MS);
  expect(await life.answers(ANSWER)).toBe(messageId);
  expect(await readChat(town)).toEqual([ANSWER]);
});

test("T56: a deletion that Telegram makes late deletes no answer either", async () => {
  const { town, life, messageId } = await openLife();
  await losesEdit(town, life);
  life.ends();
  life.account.clock.advance(LATE_MS - 1);
  const late = await town.telegram.faults.hold({ method: DELETE, at: "request", times: 1 });
  const lost = expect(life.answers(ANSWER)).rejects.toMatchObject({ class: "definite" });
  await late.reached();
  life.account.hangsUp(DELETE);
  await lost;
  life.account.clock.advance(1);
  expect(await life.answers(ANSWER, { attempt: 2 })).not.toBe(messageId);
  await late.release();
  expect(await readChat(town)).toEqual([ANSWER]);
});

test("T56: a deletion whose answer is lost is made again, and the answer stands there once", async () => {
  const { town, life } = await openLife();
  await losesEdit(town, life);
  await town.telegram.faults.add({ kind: "drop-answer", method: DELETE });
  await expect(life.answers(ANSWER)).rejects.toMatchObject({ class: "definite" });
  await life.answers(ANSWER, { attempt: 2 });
  expect(await readChat(town)).toEqual([ANSWER]);
});

test("T56: a death between the deletion and the answer loses nothing", async () => {
  const { town, life } = await openLife();
  await losesEdit(town, life);
  await town.telegram.faults.add({ kind: "drop-request", method: SEND });
  await expect(life.answers(ANSWER)).rejects.toMatchObject({ class: "ambiguous" });
  const { cursor } = life.account;
  await life.account.close();
  const next = await town.lives({ ...EDITS, cursor });
  const repeatMark = "(may be repeated)\n";
  await next.answers(`${repeatMark}${ANSWER}`, { attempt: 2, mayHaveArrived: true, repeatMark });
  expect(await readChat(town)).toEqual([`${repeatMark}${ANSWER}`]);
});

test("T56: an answer whose edit may have been made is the same edit again, in the same message", async () => {
  const { town, life, messageId } = await openLife();
  await town.telegram.faults.add({ kind: "drop-answer", method: EDIT });
  await expect(life.answers(ANSWER)).rejects.toMatchObject({ class: "definite" });
  expect(await life.answers(ANSWER, { attempt: 2 })).toBe(messageId);
  expect(await town.telegram.record({ method: DELETE })).toEqual([]);
  expect(await readChat(town)).toEqual([ANSWER]);
});
