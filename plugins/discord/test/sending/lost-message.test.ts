import { expect, test } from "vitest";
import { hasWords } from "../../src/sending/lost-message.ts";

const card = { title: "✅ nap", description: "done · 4.1 s" };
const preview = { title: "Example", description: "a page", url: "https://example.com" };

test.each([
  ["the same words", { content: "hello " }, { content: "hello" }, true],
  ["other words", { content: "hello" }, { content: "hallo" }, false],
  ["a preview behind the words", { content: "hello", embeds: [preview] }, { content: "hello" }, true],
  ["a card of another", { content: "hello", embeds: [card] }, { content: "hello" }, false],
  ["a card and a preview", { content: "hello", embeds: [card, preview] }, { content: "hello", embeds: [card] }, true],
  ["a card alone", { content: "", embeds: [card] }, { content: "", embeds: [card] }, true],
  ["no card", { content: "hello", embeds: [preview] }, { content: "hello", embeds: [card] }, false],
])("%s: what stands in a chat is it, or is not", (_, said, meant, isIt) => {
  expect(hasWords(said, meant)).toBe(isIt);
});
