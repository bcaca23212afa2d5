import { expect, test } from "vitest";
import { deriveButtonKey, parseButtonData } from "../../src/buttons/button-data.ts";
import { buildQuestionKeyboard } from "../../src/buttons/question-keyboard.ts";

const key = deriveButtonKey("7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s");
const now = 1_800_000_000_000;
const question = {
  questionId: "ZKJHtg9gy-9wvOgCXxqK7j",
  choices: [
    { label: "Allow", isAllowing: true },
    { label: "Deny", isAllowing: false },
  ],
  askedOf: "42",
  expiresAt: now + 600_000,
};

function readRows(shown: typeof question): readonly (readonly string[])[] {
  const rows = buildQuestionKeyboard(shown, { key })?.inline_keyboard ?? [];
  return rows.map((row) => row.map(({ text }) => text));
}

test("short choices stand side by side, long ones below each other", () => {
  expect(readRows(question)).toEqual([["Allow", "Deny"]]);
  const choices = ["Allow this command once", "Allow it always"].map((label) => ({ label, isAllowing: true }));
  expect(readRows({ ...question, choices })).toEqual([["Allow this command once"], ["Allow it always"]]);
});

test("each says its number and the question, for whoever is asked, until its time is over", () => {
  const [row = []] = buildQuestionKeyboard(question, { key })?.inline_keyboard ?? [];
  const data = row.map((button) => ("callback_data" in button ? button.callback_data : ""));
  expect(data.map((text) => parseButtonData(text, { key, userId: "42", now }))).toEqual(
    ["answer 1", "answer 2"].map((action) => ({ kind: "order", order: { action, runId: question.questionId } })),
  );
  expect(parseButtonData(data[0] ?? "", { key, userId: "43", now })).toEqual({ kind: "refused", why: "not_yours" });
  const late = { key, userId: "42", now: now + 700_000 };
  expect(parseButtonData(data[0] ?? "", late)).toEqual({ kind: "refused", why: "expired" });
});

test("T5: where one choice has no room there are no buttons at all", () => {
  expect(buildQuestionKeyboard({ ...question, questionId: "x".repeat(40) }, { key })).toBeUndefined();
});
