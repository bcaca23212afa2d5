import type { AcpRecord, SessionEntry } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { ADA, ask, spawn } from "../tools/tool-desk.ts";
import { TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";

const CODER = { agentId: "coder", runtime: "acp" };

function buildRecord(agentSessionId: string, canFork = true): AcpRecord {
  return {
    backend: "acp",
    agent: "claude",
    identity: { state: "resolved", source: "ensure", agentSessionId, lastUpdatedAt: 1 },
    mode: "persistent",
    runtimeOptions: { profile: "ask" },
    cwd: `/state/acp/coder/${agentSessionId}`,
    state: "running",
    turnId: `a turn in ${agentSessionId}`,
    abilities: { canTakeUp: true, canFork },
    lastActivityAt: 1,
  };
}

/** A desk whose agents are foreign ones: each keeps its side of a session, the one that it is to go on with or a new one. */
async function openForeignDesk(given: TreeDeskOptions & { readonly main?: string } = {}): Promise<TreeDesk> {
  const acp = { agent: "claude", env: [] } as const;
  const agent = { workspace: "/workspace", tools: { deny: [] } };
  const main = { ...agent, runtime: given.main ?? "played", acp, subagents: { allowAgents: ["coder"] } };
  const desk: TreeDesk = new TreeDesk({
    agents: { main, coder: { ...agent, runtime: "acp", acp } },
    ...given,
    options: { runtimes: { played: async () => desk.runtime, acp: async () => desk.runtime } },
  });
  const { open } = desk.runtime;
  desk.runtime.open = async (spec, host, signal) => {
    const session = await open(spec, host, signal);
    const { acp: kept } = spec;
    const id = kept?.identity.agentSessionId ?? `${kept?.takesUp?.way ?? "own"} of ${spec.sessionKey}`;
    await host.keepAcp?.(buildRecord(id));
    return session;
  };
  return desk.start();
}

async function readAcp({ store }: TreeDesk, key: string): Promise<AcpRecord | undefined> {
  const row = await store.read.session(key);
  const entry: SessionEntry | undefined = row === undefined ? undefined : JSON.parse(row.body);
  return entry?.acp;
}

const idOf = async (desk: TreeDesk, key: string) => (await readAcp(desk, key))?.identity.agentSessionId;

it("goes over to the new child in the step that accepts it, and to nobody else before or behind it", async () => {
  const desk = await openForeignDesk();
  const first = await spawn(desk, "first", () => "one", CODER);
  const resumeSessionId = await idOf(desk, first.key);
  const second = await spawn(desk, "second", () => "two", { ...CODER, resumeSessionId });
  expect([await idOf(desk, first.key), await idOf(desk, second.key)]).toEqual([undefined, resumeSessionId]);
  expect(desk.runtime.opened.at(-2)?.acp).toMatchObject({
    identity: { state: "pending", agentSessionId: resumeSessionId },
    takesUp: { way: "resume", agentSessionId: resumeSessionId },
    cwd: `/state/acp/coder/${resumeSessionId}`,
  });
  expect(desk.runtime.opened.at(-2)?.acp).not.toHaveProperty("turnId");
  const [accepted] = desk.steps.filter((step) => step.step === "accept_run").slice(-1);
  expect(accepted).toMatchObject({ giver: { key: first.key } });
});

it("is the child's also where the process dies between the acceptance and the first turn, and the call made again spawns once", async () => {
  let isDying = false;
  const desk: TreeDesk = await openForeignDesk({
    faultPoint: (name) => void (isDying && name === "T1.after" && desk.crash()),
  });
  const first = await spawn(desk, "first", () => "one", CODER);
  const resumeSessionId = await idOf(desk, first.key);
  isDying = true;
  const call = { task: "work as second", ...CODER, resumeSessionId };
  await ask(desk, "sessions_spawn", call);
  const next = await openForeignDesk({ data: desk.data });
  next.plays(/^ask number/, async ({ call: make }) => (await make("sessions_spawn", call)).text);
  next.plays(/^work as second/, () => "two");
  await next.rest();
  const runs = await next.runs();
  expect(runs).toHaveLength(2);
  const key = runs[1]?.childSessionKey ?? "";
  expect(next.runtime.opened.find((spec) => spec.sessionKey === key)?.acp?.takesUp).toEqual({
    way: "resume",
    agentSessionId: resumeSessionId,
  });
  expect([await idOf(next, first.key), await idOf(next, key)]).toEqual([undefined, resumeSessionId]);
});

it("stays where it is when its holder begins to work before it is given up; two that ask at once get it once", async () => {
  const desk = await openForeignDesk();
  const first = await spawn(desk, "first", () => "one", CODER);
  const resumeSessionId = await idOf(desk, first.key);
  const args = { task: "work as second", ...CODER, resumeSessionId };
  desk.plays(/^both/, async ({ call }) => {
    const [one, other] = await Promise.all([call("sessions_spawn", args), call("sessions_spawn", args)]);
    return `${JSON.parse(one.text).status} ${JSON.parse(other.text).code}`;
  });
  await desk.says("both");
  expect(desk.heard().find((text) => text.startsWith("accepted"))).toMatch(/^accepted resume_(busy|unknown)$/);
  const runs = (await desk.runs()).filter(({ endedReason }) => endedReason !== "spawn-failed");
  expect(runs).toHaveLength(2);
});

it("is not taken from whoever stands above the one that asks, nor asked for without a foreign agent", async () => {
  const desk = await openForeignDesk({ main: "acp" });
  const told: unknown[] = [];
  const resume = async (call: (name: string, args: unknown) => Promise<{ readonly text: string }>, more: object) => {
    const resumeSessionId = `own of ${ADA}`;
    const { text } = await call("sessions_spawn", { task: "take it", runtime: "acp", resumeSessionId, ...more });
    told.push(JSON.parse(text).code);
  };
  await spawn(desk, "child", async ({ call }) => {
    await resume(call, {});
    await resume(call, { runtime: "subagent" });
    await resume(call, { context: "fork" });
    return "done";
  });
  expect(told).toEqual(["resume_unknown", "resume_unfit", "resume_unfit"]);
  expect(await idOf(desk, ADA)).toBe(`own of ${ADA}`);
});

it.each([
  ["copied by an agent that can", true, { way: "fork", agentSessionId: `own of ${ADA}` }],
  ["told to a new session where it cannot", false, undefined],
])("is %s, where the child is to know what its parent knows", async (_what, canFork, takesUp) => {
  const desk = await openForeignDesk({ main: "acp" });
  const { open } = desk.runtime;
  desk.runtime.open = (spec, host, signal) =>
    open(
      spec,
      { ...host, keepAcp: async (record) => host.keepAcp?.({ ...record, ...buildAbilities(canFork) }) },
      signal,
    );
  await desk.says("What was said before");
  const { key } = await spawn(desk, "child", () => "done", { context: "fork" });
  expect(desk.runtime.opened.find((spec) => spec.sessionKey === key)?.acp?.takesUp).toEqual(takesUp);
  expect(await idOf(desk, ADA)).toBe(`own of ${ADA}`);
  expect((await desk.lines(key))[0]).toBe("user: What was said before");
});

function buildAbilities(canFork: boolean): Pick<AcpRecord, "abilities"> {
  return { abilities: { canTakeUp: true, canFork } };
}
