import type { AcpRecord, AcpSettings, SessionEntry } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import type { ForeignSession } from "../../../src/subagents/spawn/foreign/foreign-session.ts";
import { planOf, spawn } from "./spawn-desk.ts";

const ENTRY: SessionEntry = { sessionId: "5f0c2a52-2b8e-4a6e-9d0a-3c1f6e7b8a91", sessionFile: "a.jsonl", updatedAt: 1 };
const KEPT: AcpRecord = {
  backend: "acp",
  agent: "claude",
  identity: { state: "resolved", source: "ensure", agentSessionId: "s-1", lastUpdatedAt: 1 },
  mode: "persistent",
  runtimeOptions: { profile: "ask" },
  cwd: "/state/acp/main/a",
  state: "idle",
  lastActivityAt: 1,
};

interface Changed {
  readonly kept?: Partial<AcpRecord>;
  readonly agentId?: string;
  readonly use?: ForeignSession["use"];
  readonly acp?: Partial<AcpSettings>;
}

/** A spawn of the foreign agent main that is to go on in the session `s-1` of one of its sub-agents. */
function resume({ kept, agentId = "main", use, acp }: Changed) {
  const holder = { key: `agent:${agentId}:acp:a`, agentId, revision: 3, entry: ENTRY };
  const foreignSession = { holder, kept: { ...KEPT, ...kept }, use };
  const agents = { main: { runtime: "acp", acp: { agent: "claude", env: [], ...acp } } } as const;
  return { request: { runtime: "acp", resumeSessionId: "s-1" }, facts: { agents, foreignSession } } as const;
}

it.each<[string, Changed, string, string]>([
  ["another agent's", { agentId: "ops" }, "resume_unfit", "one of the agent ops (claude, profile ask)"],
  ["another program's", { kept: { agent: "codex" } }, "resume_unfit", "(codex, profile ask), received the agent main"],
  ["of another profile", { acp: { profile: "chat-safe" } }, "resume_unfit", "(claude, profile chat-safe)"],
  [
    "of a program that takes none up",
    { kept: { abilities: { canTakeUp: false, canFork: true } } },
    "resume_unfit",
    "takes no session up again",
  ],
  ["one in which somebody works", { use: "turn" }, "resume_busy", "works in it or is about to"],
  ["one whose run waits", { use: "run" }, "resume_busy", "has not ended"],
  ["one with a thread", { use: "thread" }, "resume_busy", "has a thread in which people write to it"],
])("a spawn does not go on in a session that is %s", (_what, changed, code, says) => {
  const { request, facts } = resume(changed);
  const decision = spawn(request, facts);
  expect(decision).toMatchObject({ kind: "refused", status: "error", code });
  expect(decision).toHaveProperty("error", expect.stringContaining(says));
  expect(decision).toHaveProperty("error", expect.stringMatching(/^Spawning a sub-agent: [^;]+; /));
});

it("a command of one's own is known by its file, and its session is gone on with", () => {
  const agent = { command: "/opt/agents/mine", args: [] };
  const { request, facts } = resume({ kept: { agent: "mine" }, acp: { agent, profile: "ask" } });
  expect(planOf(request, facts).foreign).toMatchObject({ way: "resume", holder: { revision: 3 } });
});

it("a refusal by the rules comes before any word about the session", () => {
  const { request, facts } = resume({ use: "turn" });
  expect(spawn(request, { ...facts, unfinishedChildren: 99 })).toMatchObject({ code: "children_reached" });
});
