import { expect, it } from "vitest";
import { takesImages } from "../../src/models/image-support.ts";

const COMPATIBLE = { kind: "openai-compatible" } as const;

it.each([
  "gpt-4o-mini",
  "gpt-4.1",
  "gpt-5-nano",
  "openai/gpt-5.2",
  "o3",
  "o4-mini",
  "anthropic/claude-sonnet-4.5",
  "claude-3-haiku",
  "google/gemini-2.5-flash",
  "gemma3:12b",
  "google/gemma-3-27b-it",
  "meta-llama/llama-4-scout",
  "llama3.2-vision:11b",
  "qwen/qwen2.5-vl-72b-instruct",
  "qwen3-vl:8b",
  "Qwen/Qwen2.5-VL-7B-Instruct",
  "llava:13b",
  "pixtral-12b",
])("shows pictures to %s", (model) => expect(takesImages(COMPATIBLE, model)).toBe(true));

it.each([
  "gpt-3.5-turbo",
  "gpt-4",
  "gpt-oss:20b",
  "o1-preview",
  "o3-mini-high",
  "gemma3:1b",
  "gemma2:9b",
  "llama3.1:8b",
  "qwen3:8b",
  "deepseek-chat",
  "mistral-7b",
  "grove-1",
  "revolver-2",
])("shows none to %s", (model) => expect(takesImages(COMPATIBLE, model)).toBe(false));

it("goes by the configuration before the name, and shows them to all of Anthropic's", () => {
  expect(takesImages({ ...COMPATIBLE, images: true }, "grove-1")).toBe(true);
  expect(takesImages({ ...COMPATIBLE, images: false }, "gpt-5")).toBe(false);
  expect(takesImages({ kind: "anthropic" }, "anything")).toBe(true);
  expect(takesImages({ kind: "anthropic", images: false }, "claude-opus-4")).toBe(false);
});
