import type { Address } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { untilAborted } from "../../ports/pause.ts";
import { parseSessionRow, type SessionRecord } from "../../sessions/session-record.ts";
import { leaveOutSetBack } from "../../sessions/set-back.ts";
import { getSubagentDepthFromSessionStore } from "../../sessions/tree/stored-depth.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { readLineage } from "../visibility/read-lineage.ts";
import { findForeignSession } from "./foreign/foreign-session.ts";
import { estimateTokens } from "./fork-context.ts";
import { resolveSandbox } from "./sandbox-lattice.ts";
import type { SpawnAsker } from "./spawn-asker.ts";
import type { SpawnFacts } from "./spawn-facts.ts";
import type { SpawnRequest } from "./spawn-request.ts";

/** What a spawn is decided on, and what its run keeps of it. */
export interface SpawnWorld {
  readonly facts: SpawnFacts;
  readonly requester: SessionRecord;
  readonly rootSessionKey: string;
}

/** `undefined`: the session that asks is gone. */
export async function readSpawnWorld(
  request: SpawnRequest,
  asker: SpawnAsker,
  parts: SubagentParts,
): Promise<SpawnWorld | undefined> {
  const { store, agents, limits, ports } = parts;
  const { read } = store;
  if (request.thread === true) await awaitAccount(asker.address, parts);
  const requester = asker.record ?? (await findRequester(asker.sessionKey, read));
  if (requester === undefined) return undefined;
  const rootSessionKey = (await readLineage(requester, read)).at(-1) ?? asker.sessionKey;
  const readEntry = async (key: string) => {
    if (key === requester.key) return requester.entry;
    const found = await read.session(key);
    return found === undefined ? undefined : parseSessionRow(found).entry;
  };
  const { resumeSessionId } = request;
  const [depth, unfinished, models, contextTokens, foreignSession] = await Promise.all([
    getSubagentDepthFromSessionStore(asker.sessionKey, readEntry),
    read.unfinishedRuns({ requesterSessionKey: asker.sessionKey, rootSessionKey }),
    readModels(request, requester.agentId, parts),
    request.context === "fork" ? readContextTokens(requester, read) : 0,
    resumeSessionId === undefined ? undefined : findForeignSession(resumeSessionId, requester, parts),
  ]);
  const facts: SpawnFacts = {
    runId: ports.createUuid(),
    source: asker.source,
    ...(asker.person === undefined ? {} : { askedBy: asker.person }),
    requester: {
      sessionKey: asker.sessionKey,
      agentId: requester.agentId,
      address: asker.address,
      depth,
      sandbox: resolveSandbox(agents, { agentId: requester.agentId, spawnLineage: requester.entry.spawnLineage }),
      workspaceDir: requester.entry.spawnedWorkspaceDir ?? agents[requester.agentId]?.workspace ?? "/",
      contextTokens,
      ...(requester.entry.acp === undefined ? {} : { acp: requester.entry.acp }),
    },
    agents,
    limits,
    unfinishedChildren: unfinished.ofRequester,
    unfinishedTreeRuns: unfinished.ofTree,
    models,
    ...(foreignSession === undefined ? {} : { foreignSession }),
    threads: findThreads(asker.address, parts),
    // None besides its own and its target's: another agent's folder is no place to put a child into.
    workspaceRoots: [],
  };
  return { facts, requester, rootSessionKey };
}

function findThreads(address: Address, { getThreadRules, hooks }: SubagentParts): SpawnFacts["threads"] {
  if (!getThreadRules(address).isEnabled) return "off";
  return hooks.subagent_spawning.isTapped ? "bound" : "none";
}

/** What an earlier process left may spawn before its platform is there. Rejects where the gateway stops meanwhile. */
async function awaitAccount(address: Address, { whenTried, signal }: SubagentParts): Promise<void> {
  await Promise.race([whenTried(address), untilAborted(signal)]);
  signal.throwIfAborted();
}

async function findRequester(key: string, read: StoreReads): Promise<SessionRecord | undefined> {
  const row = await read.session(key);
  return row === undefined || row.archivedAtMs !== undefined ? undefined : parseSessionRow(row);
}

/** A runtime is only opened for its list where a model is named. */
async function readModels(
  request: SpawnRequest,
  ownAgentId: string,
  { agents, getRuntime }: SubagentParts,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const id = request.agentId ?? ownAgentId;
  const agent = Object.hasOwn(agents, id) ? agents[id] : undefined;
  if (agent === undefined || (request.model ?? getSubagentRules(agent).model) === undefined) return {};
  return { [id]: await (await getRuntime(agent.runtime)).models() };
}

async function readContextTokens({ entry }: SessionRecord, read: StoreReads): Promise<number> {
  const rows = await read.entries({ sessionId: entry.sessionId, limit: 10_000, newest: true });
  return estimateTokens(leaveOutSetBack(rows));
}
