import type { Completion } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { DemoMember, words } from "../../desk/demo-family.ts";

const FILES = { "docs/a.md": words(1), "docs/b.md": words(1), "docs/c.md": words(1) };
const FOREIGN: Completion = {
  runId: "foreign",
  childSessionKey: "agent:main:subagent:foreign",
  task: "find the open questions",
  outcome: "done",
  result: "There are three.",
  durationMs: 1000,
};

it.each([
  [{}, "The sub-agent “find the open questions” is done: There are three."],
  [{ label: "questions", result: "One.\nTwo." }, "The sub-agent “questions” is done:\nOne.\nTwo."],
  [{ result: "" }, "The sub-agent “find the open questions” is done and had nothing to say."],
  [{ result: "x".repeat(600) }, `The sub-agent “find the open questions” is done: ${"x".repeat(500)}…`],
  [{ task: "y".repeat(70), outcome: "timeout" }, `The sub-agent “${"y".repeat(60)}…” ran out of time.`],
  [{ outcome: "failed", error: "No disk." }, "The sub-agent “find the open questions” failed: No disk."],
] as const)("tells in a line of a sub-agent that it did not start: %j", async (parts, line) => {
  expect(await new DemoMember(FILES).hears({ ...FOREIGN, ...parts })).toBe(line);
});

it("tells of it also while its own are at work", async () => {
  const ada = new DemoMember(FILES);
  await ada.says("count words in docs");
  const [one, two, three] = await Promise.all(ada.children.map((child) => child.works()));
  expect(await ada.hears(one ?? FOREIGN, FOREIGN)).toBe(
    "The sub-agent “find the open questions” is done: There are three.",
  );
  expect(await ada.hears(two ?? FOREIGN, three ?? FOREIGN)).toMatch(/^docs\/ has 3 words in 3 files/);
});

it("does not repeat what the host has announced, and adds up what several have found all the same", async () => {
  const ada = new DemoMember(FILES);
  const announced = { isAnnounced: true } as const;
  expect(await ada.hears({ ...FOREIGN, ...announced })).toBe("NO_REPLY");
  await ada.says("fail");
  const [failed = FOREIGN] = await Promise.all(ada.children.map((child) => child.works()));
  expect(await ada.hears({ ...failed, ...announced }, FOREIGN)).toBe(
    "The sub-agent “find the open questions” is done: There are three.",
  );
  const bob = new DemoMember(FILES);
  await bob.says("count words in docs");
  const counted = await Promise.all(bob.children.map((child) => child.works()));
  expect(await bob.hears(...counted.map((end) => ({ ...end, ...announced })))).toMatch(/^docs\/ has 3 words/);
});

it("answers the messages of one turn when the last child of that turn has ended", async () => {
  const ada = new DemoMember(FILES);
  const input = ["nest 1", "compare docs docs/a.md", "fail", "fail"].map(
    (text) => ({ kind: "message", text }) as const,
  );
  expect((await ada.takes(input)).split("\n\n")).toHaveLength(4);
  const ends = await Promise.all(ada.children.map((child) => child.works()));
  const last = ends.pop() ?? FOREIGN;
  for (const end of ends) expect(await ada.hears(end)).toBe("NO_REPLY");
  expect((await ada.hears(last)).split("\n\n")).toEqual([
    "The nest says: level 1 of 1: I am the innermost.",
    "docs has 3 words in 3 files.\ndocs/a.md has 1 word in 1 file.\ndocs is longer by 2 words.",
    expect.stringMatching(/^As asked, the sub-agent failed/),
    expect.stringMatching(/^As asked, the sub-agent failed/),
  ]);
});

it("keeps apart what one turn was asked twice", async () => {
  const ada = new DemoMember(FILES);
  const input = ["count words in docs", "count words in docs", "compare docs docs/a.md", "compare docs/a.md docs"];
  await ada.takes(input.map((text) => ({ kind: "message", text })));
  const ends = await Promise.all(ada.children.map((child) => child.works()));
  expect((await ada.hears(...ends)).split("\n\n").map((answer) => answer.split("\n").at(0))).toEqual([
    "docs/ has 3 words in 3 files; the longest is docs/a.md (1).",
    "docs/ has 3 words in 3 files; the longest is docs/a.md (1).",
    "docs has 3 words in 3 files.",
    "docs/a.md has 1 word in 1 file.",
  ]);
});

it("does not come back to what was refused at once", async () => {
  const ada = new DemoMember(FILES, { refuse: (label) => (label === "fail" ? undefined : "too many") });
  const input = ["nest 1", "compare docs docs/a.md", "count words in docs", "fail"];
  expect(await ada.takes(input.map((text) => ({ kind: "message", text })))).toContain("I can't nest: too many.");
  expect(await ada.hears((await ada.children[0]?.works()) ?? FOREIGN)).toMatch(/^As asked, the sub-agent failed/);
});

it("says nothing of silence beside an answer to a person", async () => {
  const ada = new DemoMember(FILES);
  await ada.says("count words in docs");
  const completion = (await ada.children[0]?.works()) ?? FOREIGN;
  const input = [
    { kind: "completion", text: "…", completion },
    { kind: "message", text: "calc 1 + 1" },
  ] as const;
  expect(await ada.takes(input)).toBe("1 + 1 = 2");
});

it("is not misled by spawns of another runtime in the same session", async () => {
  const ada = new DemoMember(FILES);
  const call = { ordinal: 0, name: "sessions_spawn", args: null };
  const text = JSON.stringify({ status: "accepted", runId: "foreign" });
  ada.desk.history = [
    { id: "1", seq: 1, timestamp: 0, kind: "tool_call", role: "assistant", content: [{ type: "tool_call", ...call }] },
    {
      id: "2",
      seq: 2,
      timestamp: 0,
      kind: "tool_result",
      role: "tool",
      content: [{ type: "tool_result", ordinal: 0, name: "sessions_spawn", text, isError: false }],
    },
  ];
  expect(await ada.hears(FOREIGN)).toBe("The sub-agent “find the open questions” is done: There are three.");
});
