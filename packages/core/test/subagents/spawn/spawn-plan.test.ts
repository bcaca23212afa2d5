import { expect, it } from "vitest";
import { planOf, RUN_ID } from "./spawn-desk.ts";

it.each([
  [undefined, "main", "/srv/main"],
  ["sub", "main", "/srv/main/sub"],
  ["/srv/main/sub/../x", "main", "/srv/main/x"],
  [undefined, "ops", "/srv/ops"],
  ["sub", "ops", "/srv/ops/sub"],
  ["/srv/main/sub", "ops", "/srv/main/sub"],
  ["/mnt/shared/sub", "main", "/mnt/shared/sub"],
])("puts a child that asks for %j as %s into %s", (workspaceDir, agentId, folder) => {
  const facts = { agents: { main: { subagents: { allowAgents: ["ops"] } } }, workspaceRoots: ["/mnt/shared"] };
  expect(planOf({ agentId, workspaceDir }, facts).body.workspaceDir).toBe(folder);
});

it("plans an ordinary run with every default", () => {
  expect(planOf({})).toEqual({
    runId: RUN_ID,
    childSessionKey: `agent:main:subagent:${RUN_ID}`,
    requester: { channel: "ferry", accountId: "default", to: "ada", address: "ferry/default/dm/ada" },
    body: {
      task: "Count the words.",
      source: "tool",
      askedBy: "7",
      agentId: "main",
      mode: "run",
      cleanup: "keep",
      announce: "parent",
      expectsCompletionMessage: true,
      archiveAfterMs: 3_600_000,
      announceTimeoutMs: 600_000,
      depth: 1,
      sandbox: "workspace",
      workspaceDir: "/srv/main",
      threadRequested: false,
      attachments: [],
    },
    role: "orchestrator",
    controlScope: "children",
    maxSpawnDepth: 2,
    isForked: false,
    isAwaited: true,
    workspaceRoots: ["/srv/main"],
    attachments: [],
    notes: [],
  });
});

it("plans what is asked, in a thread of its own and for another agent", () => {
  const plan = planOf(
    {
      taskName: "count",
      label: " Count\nthe words ",
      agentId: "ops",
      thinking: "low",
      runTimeoutSeconds: 90,
      thread: true,
      cleanup: "delete",
      expectsCompletionMessage: false,
      attachments: [{ name: "a.txt", content: "one two" }],
    },
    {
      source: "command",
      askedBy: "8",
      agents: {
        main: { subagents: { allowAgents: ["ops"], runTimeoutSeconds: 10, announceTimeoutMs: 5_000 } },
        ops: { sandbox: "strict", subagents: { maxSpawnDepth: 1, announceTimeoutMs: 7_000 } },
      },
    },
  );
  expect(plan.childSessionKey).toBe(`agent:ops:subagent:${RUN_ID}`);
  expect(plan.body).toEqual({
    task: "Count the words.",
    taskName: "count",
    label: "Count the words",
    source: "command",
    askedBy: "8",
    agentId: "ops",
    thinking: "low",
    mode: "session",
    cleanup: "keep",
    announce: "direct",
    expectsCompletionMessage: false,
    timeoutMs: 90_000,
    archiveAfterMs: 3_600_000,
    announceTimeoutMs: 5_000,
    depth: 1,
    sandbox: "strict",
    workspaceDir: "/srv/ops",
    threadRequested: true,
    bindingId: RUN_ID,
    attachments: ["a.txt"],
  });
  expect(plan).toMatchObject({ role: "leaf", controlScope: "none", maxSpawnDepth: 1, isAwaited: false });
  expect(Buffer.from(plan.attachments[0]?.bytes ?? []).toString()).toBe("one two");
});

it("is not waited for where nobody is to be told", () => {
  expect(planOf({ expectsCompletionMessage: false }).isAwaited).toBe(false);
});

it.each([
  [undefined, 10, 0, 10_000, 0],
  [0, 10, 0, undefined, 0],
  [5, 10, 0, 5_000, 0],
  [undefined, 0, 0, undefined, 0],
  [undefined, 0, 7, 7_000, 0],
  [undefined, 10, 7, 7_000, 0],
  [5, 10, 7, 5_000, 0],
  [9, 10, 7, 7_000, 1],
  [0, 10, 7, 7_000, 1],
])(
  "a run that asks for %j seconds under a rule of %i and at most %i has %j ms, and is told so where that is less",
  (runTimeoutSeconds, rule, most, timeoutMs, notes) => {
    const subagents = { runTimeoutSeconds: rule, maxRunTimeoutSeconds: most };
    const plan = planOf({ runTimeoutSeconds }, { agents: { main: { subagents } } });
    expect(plan.body.timeoutMs).toBe(timeoutMs);
    expect(plan.notes).toHaveLength(notes);
  },
);

it.each([
  ["tool", 0, undefined, "parent", 0],
  ["command", 0, undefined, "direct", 0],
  ["tool", 0, "direct", "direct", 0],
  ["command", 0, "parent", "parent", 0],
  ["tool", 1, "direct", "parent", 1],
  ["command", 1, undefined, "direct", 0],
] as const)(
  "asked by %s at depth %i with announce %j it is told by way of %s",
  (source, depth, announce, way, notes) => {
    const plan = planOf({ announce }, { source, requester: { depth } });
    expect(plan.body.announce).toBe(way);
    expect(plan.isAwaited).toBe(way === "parent");
    expect(plan.notes).toHaveLength(notes);
  },
);

it.each([
  ["isolated", 10, "main", false, []],
  ["fork", 100_000, "main", true, []],
  ["fork", 100_001, "main", false, ["starts isolated: this context is about 100,001 tokens, over 100,000 tokens."]],
  ["fork", 10, "ops", false, ["starts isolated: another agent does not get this agent's context."]],
] as const)(
  "with context %s of %i tokens for %s it is forked: %s",
  (context, contextTokens, agentId, isForked, notes) => {
    const facts = { requester: { contextTokens }, agents: { main: { subagents: { allowAgents: ["ops"] } } } };
    expect(planOf({ context, agentId }, facts)).toMatchObject({ isForked, notes });
  },
);
