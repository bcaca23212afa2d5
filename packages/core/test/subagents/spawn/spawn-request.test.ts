import { expect, it } from "vitest";
import { buildSpawnArgsSchema, parseSpawnRequest } from "../../../src/subagents/spawn/spawn-request.ts";

const parse = (args: object) => parseSpawnRequest({ task: "Count.", ...args });

it("takes every parameter there is, as it is given", () => {
  const args = {
    task: " Count.\nThen stop. ",
    taskName: "count-words",
    label: "Count",
    agentId: "ops",
    model: "small",
    thinking: "low",
    runTimeoutSeconds: 90,
    mode: "run",
    thread: false,
    cleanup: "delete",
    expectsCompletionMessage: false,
    sandbox: "require",
    context: "fork",
    workspaceDir: "sub",
    attachments: [{ name: "a", content: "x" }],
    runtime: "acp",
    resumeSessionId: "s",
    lightContext: true,
    announce: "direct",
  };
  expect(parseSpawnRequest(args)).toEqual({ kind: "parsed", request: args });
  expect(Object.keys(args).toSorted()).toEqual(Object.keys(Object(buildSpawnArgsSchema().properties)).toSorted());
});

it("takes null for what is not given, as models write it", () => {
  expect(parse({ label: null, thread: null, attachments: null })).toEqual({
    kind: "parsed",
    request: { task: "Count." },
  });
});

it.each([
  ["agentId", "Not An Id!"],
  ["mode", "loop"],
  ["thinking", "hard"],
  ["model", ""],
  ["attachments", 7],
  ["attachments", Array.from({ length: 51 }, () => ({}))],
])("leaves it to the decision what %s %j means", (key, value) => {
  expect(parse({ [key]: value })).toEqual({ kind: "parsed", request: { task: "Count.", [key]: value } });
});

it.each([
  [{ task: undefined }, "task: "],
  [{ task: " \n" }, "task: must not be blank"],
  [{ task: "x".repeat(100_001) }, "task: "],
  [{ task: 7 }, "task: "],
  [{ taskName: "Count" }, "taskName: must match"],
  [{ taskName: "1st" }, "taskName: must match"],
  [{ taskName: "x".repeat(65) }, "taskName: must match"],
  [{ taskName: "all" }, "taskName: must not be all or last"],
  [{ taskName: "last" }, "taskName: must not be all or last"],
  [{ label: "x".repeat(101) }, "label: "],
  [{ label: "\u200b" }, "label: must not be blank"],
  [{ agentId: 7 }, "agentId: "],
  [{ agentId: "x".repeat(201) }, "agentId: "],
  [{ runTimeoutSeconds: -1 }, "runTimeoutSeconds: "],
  [{ runTimeoutSeconds: 1.5 }, "runTimeoutSeconds: "],
  [{ runTimeoutSeconds: 2_592_001 }, "runTimeoutSeconds: "],
  [{ thread: "yes" }, "thread: "],
  [{ cleanup: "archive" }, "cleanup: "],
  [{ sandbox: "off" }, "sandbox: "],
  [{ context: "shared" }, "context: "],
  [{ workspaceDir: "a\0b" }, "workspaceDir: must not hold a NUL character"],
  [{ runtime: "exec" }, "runtime: "],
  [{ announce: "nobody" }, "announce: "],
  [{ tsak: "x" }, "tsak"],
])("refuses %j", (args, says) => {
  expect(parse(args)).toMatchObject({
    kind: "refused",
    status: "error",
    code: "request_invalid",
    error: expect.stringMatching(/^Spawning a sub-agent: .+; correct it and try again$/),
  });
  expect(parse(args)).toHaveProperty("error", expect.stringContaining(says));
});

it.each([null, undefined, "count", 7, [], ["count"]])("refuses %j, which is no object", (args) => {
  expect(parseSpawnRequest(args)).toMatchObject({ kind: "refused", code: "request_invalid" });
});

it("tells of a hundred wrong keys in a few words", () => {
  const keys = Object.fromEntries(
    "taskName label agentId model thinking mode thread".split(" ").map((key) => [key, {}]),
  );
  const refused = parse(keys);
  expect(refused).toHaveProperty("error", expect.stringContaining("and 2 more"));
});

it("takes the longest task, label and name", () => {
  const args = { task: "x".repeat(100_000), label: "x".repeat(100), taskName: "x".repeat(64) };
  expect(parseSpawnRequest(args)).toEqual({ kind: "parsed", request: args });
});

it("tells models what each parameter is for, and which words it takes", () => {
  const { properties, required, additionalProperties } = buildSpawnArgsSchema();
  expect({ required, additionalProperties }).toEqual({ required: ["task"], additionalProperties: false });
  for (const property of Object.values(Object(properties))) expect(property).toHaveProperty("description");
  expect(properties).toMatchObject({
    mode: { type: "string", enum: ["run", "session"] },
    thinking: { enum: ["off", "minimal", "low", "medium", "high", "xhigh"] },
    attachments: { type: "array", maxItems: 50, items: { required: ["name", "content"] } },
  });
});
