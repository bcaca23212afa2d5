import type { AcpRecord } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { createAcpKeeper, keepAcp } from "../../src/turns/keep-acp.ts";
import { ADA, CoreDesk } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

const RECORD: AcpRecord = {
  backend: "acp",
  agent: "claude",
  identity: { state: "resolved", source: "ensure", agentSessionId: "s-1", lastUpdatedAt: 1 },
  mode: "persistent",
  runtimeOptions: { profile: "ask" },
  cwd: "/srv/acp/s",
  state: "running",
  turnId: "t",
  lastActivityAt: 1,
};

/** A desk whose agent keeps the record before it answers; what is stored is looked at right behind that. */
async function openKeeping(
  answer: () => ReturnType<typeof says>,
  points: string[] = [],
): Promise<{ desk: CoreDesk; seen: unknown[] }> {
  const desk = await new CoreDesk({ faultPoint: (name) => void points.push(name) }).connect();
  const seen: unknown[] = [];
  const { open } = desk.runtime;
  desk.runtime.open = async (spec, host, signal) => {
    desk.runtime.play = async function* () {
      await host.keepAcp?.(RECORD);
      seen.push((await readEntry(desk)).acp);
      yield* answer();
    };
    return open(spec, host, signal);
  };
  return { desk, seen };
}

async function readEntry(desk: CoreDesk) {
  return JSON.parse((await desk.store.read.session(ADA))?.body ?? "{}");
}

it("is stored before the agent goes on; the turn's end says that the agent is idle, in the one step it takes", async () => {
  const points: string[] = [];
  const { desk, seen } = await openKeeping(() => says("done"), points);
  await desk.says("hello");
  expect([seen, desk.heard(), points.filter((name) => name === "T3.before")]).toEqual([
    [RECORD],
    ["done"],
    ["T3.before"],
  ]);
  expect(await readEntry(desk)).toMatchObject({
    messageCount: 2,
    acp: { ...RECORD, state: "idle", lastActivityAt: expect.any(Number) },
  });
});

it("is an error where the turn has failed, and gone with a new conversation", async () => {
  let isDead = true;
  const { desk } = await openKeeping(async function* () {
    if (isDead) yield { type: "end", reason: "error", error: { isRetryable: true, message: "it died" } };
    else yield* says("well again");
  });
  await desk.says("hello");
  expect(await readEntry(desk)).toMatchObject({
    acp: { state: "error", lastError: "it died", identity: RECORD.identity },
  });
  isDead = false;
  await desk.says("hello again");
  expect((await readEntry(desk)).acp).not.toHaveProperty("lastError");
  await desk.says("/new");
  expect((await readEntry(desk)).acp).toBeUndefined();
});

it("is not written into another conversation under the same key", async () => {
  const desk = await new CoreDesk().connect();
  await desk.says("hello");
  const place = { sessionKey: ADA, sessionId: "5f0c0000-0000-4000-8000-00000000000f" };
  const { store, ports, sessions } = desk;
  const parts = { store, ports, sessions, signal: new AbortController().signal };
  await keepAcp(RECORD, place, parts);
  expect((await readEntry(desk)).acp).toBeUndefined();
  const { sessionId } = await readEntry(desk);
  await keepAcp(RECORD, { sessionKey: ADA, sessionId }, parts);
  expect((await readEntry(desk)).acp).toEqual(RECORD);
});

it("is not kept again where a sub-agent was given the agent's session meanwhile; a new one is", async () => {
  const desk = await new CoreDesk().connect();
  await desk.says("hello");
  const { sessionId } = await readEntry(desk);
  const { store, ports, sessions } = desk;
  const parts = { store, ports, sessions, signal: new AbortController().signal };
  const place = { sessionKey: ADA, sessionId };
  const keep = createAcpKeeper(place, parts);
  await keep(RECORD);
  await keep({ ...RECORD, turnId: "next" });
  const { agentSessionId: _, ...given } = RECORD.identity;
  await keepAcp({ ...RECORD, identity: { ...given, state: "pending" } }, place, parts);
  const refusal = "a sub-agent goes on in that session of the agent by now; write again";
  await expect(keep(RECORD)).rejects.toThrow(refusal);
  await expect(createAcpKeeper({ ...place, acp: RECORD }, parts)(RECORD)).rejects.toThrow(refusal);
  expect((await readEntry(desk)).acp.identity).toEqual({ ...given, state: "pending" });
  const other = { ...RECORD, identity: { ...RECORD.identity, agentSessionId: "s-2" } };
  await createAcpKeeper({ ...place, acp: RECORD }, parts)(other);
  expect((await readEntry(desk)).acp).toEqual(other);
});
