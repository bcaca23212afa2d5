import { expect, it } from "vitest";
import { findNearestWord } from "../../../src/config/problems/nearest-word.ts";

const KNOWN = ["session", "server", "store", "dmPolicy", "port"];

it.each([
  ["sesion", "session"],
  ["prot", "port"],
  ["dmpolicy", "dmPolicy"],
  ["sevrer", "server"],
  ["stor", "store"],
  ["x", undefined],
  ["telemetry", undefined],
  ["", undefined],
])("finds for %j the word %j", (word, nearest) => {
  expect(findNearestWord(word, KNOWN)).toBe(nearest);
});
