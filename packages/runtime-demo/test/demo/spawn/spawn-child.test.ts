import { expect, it } from "vitest";
import { parseSpawnAnswer } from "../../../src/demo/spawn/spawn-child.ts";

it.each([
  ['{"status":"accepted","runId":"r1","childSessionKey":"k","mode":"run"}', { kind: "accepted", runId: "r1" }],
  ['{"status":"error","runId":"r1","error":"It was undone."}', { kind: "refused", reason: "It was undone" }],
  ['{"status":"forbidden","error":"children: 5 of 5"}', { kind: "refused", reason: "children: 5 of 5" }],
  ['{"status":"accepted"}', { kind: "refused", reason: '{"status":"accepted"}' }],
  ["sessions_spawn: no answer within 10 s.", { kind: "refused", reason: "sessions_spawn: no answer within 10 s" }],
  ["null", { kind: "refused", reason: "null" }],
  ["x".repeat(1000), { kind: "refused", reason: "x".repeat(300) }],
])("reads %j", (text, answer) => {
  expect(parseSpawnAnswer({ text })).toEqual(answer);
});
