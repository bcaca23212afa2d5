import type { TurnMessage } from "@banyan/plugin-sdk";
import type { EntryRow, NewEntry } from "@banyan/plugin-sdk/store";
import { buildAnswerEntry, buildInputEntry, formatEntry, parseEntry } from "../sessions/transcript.ts";
import { type AgentEnd, AgentRun } from "./agent-run.ts";
import type { Turn } from "./compose-turn.ts";
import type { TurnParts } from "./turn-parts.ts";
import { LaneLostError, readCommittedCalls, TurnToolCalls } from "./turn-tools.ts";

/** How much of a transcript an agent is given at most, in entries. */
const HISTORY_ENTRIES = 1_000;

/** A turn at work: the agent, its tool calls, and what opened it. */
export interface LiveTurn {
  readonly turn: Turn;
  readonly run: AgentRun;
  readonly calls: TurnToolCalls;
  /** What the turn answers to, as entries; empty when an earlier attempt wrote it. */
  readonly opening: readonly NewEntry[];
}

/** What earlier attempts of the turn committed. */
export async function readEarlier({ claim, record }: Turn, parts: TurnParts): Promise<readonly EntryRow[]> {
  const { attempt, seq: itemSeq } = claim.item;
  return attempt > 1 ? parts.store.read.entriesOfItem({ sessionId: record.entry.sessionId, itemSeq }) : [];
}

/** The turn's first entry; none when an earlier attempt has written it. */
export function buildOpening(turn: Turn, earlier: readonly EntryRow[], parts: TurnParts): readonly NewEntry[] {
  if (earlier.length > 0) return [];
  return [formatEntry(buildInputEntry({ id: parts.ports.createId(), timestamp: turn.body.at }, turn.body))];
}

/** Makes a turn ready to run; it takes up what earlier attempts committed. */
export async function openLiveTurn(turn: Turn, parts: TurnParts): Promise<LiveTurn> {
  const { claim, record } = turn;
  const { sessionId } = record.entry;
  const earlier = await readEarlier(turn, parts);
  const opening = buildOpening(turn, earlier, parts);
  const run = new AgentRun(parts.ports);
  const agent = parts.getAgent(record.agentId);
  const calls = new TurnToolCalls(
    {
      lane: claim.lane,
      epoch: claim.epoch,
      sessionId,
      itemSeq: claim.item.seq,
      committed: readCommittedCalls(earlier.map(parseEntry)),
      opening,
      runTool: (call) => parts.tools.call(call, { sessionKey: claim.lane, agent, turnId: turn.id, signal: run.signal }),
    },
    parts,
  );
  return { turn, run, calls, opening };
}

export async function runAgent({ turn, run, calls }: LiveTurn, parts: TurnParts): Promise<AgentEnd> {
  const { claim, record, address, body } = turn;
  const { sessionId } = record.entry;
  const history = async () => {
    const rows = await parts.store.read.entries({ sessionId, limit: HISTORY_ENTRIES, newest: true });
    return rows.filter((row) => row.itemSeq !== claim.item.seq).map(parseEntry);
  };
  const message = await buildTurnMessage(turn, parts);
  return run.run(
    {
      agent: parts.getAgent(record.agentId),
      sessionKey: claim.lane,
      sessionId,
      address,
      channel: parts.getChannel(address),
      input: {
        turnId: turn.id,
        attempt: claim.item.attempt,
        input: [{ ...message, text: body.text, sender: body.sender }],
        committedCalls: calls.committed,
        history,
        callTool: async (call) => {
          try {
            return await calls.call(call);
          } catch (error) {
            // Not awaited: the runtime cannot come to rest while it waits for this call.
            if (error instanceof LaneLostError) void run.stop("the lane is lost");
            throw error;
          }
        },
      },
    },
    parts,
  );
}

/** What came with the input is labelled data, apart from the text. */
async function buildTurnMessage({ id, record, body }: Turn, parts: TurnParts): Promise<TurnMessage> {
  const { key, agentId, entry } = record;
  const start = { sessionKey: key, sessionId: entry.sessionId, agentId, turnId: id };
  const added = parts.hooks.before_turn.isTapped ? await parts.hooks.before_turn.call(start) : undefined;
  const quoted = body.quote?.text ? [{ label: "quoted message", text: body.quote.text }] : [];
  const context = [...quoted, ...(added?.context ?? [])];
  return { kind: "message", text: body.text, ...(context.length > 0 ? { context } : {}) };
}

/** What a stopped turn had said so far: kept in the transcript, never sent. */
export function buildStoppedEntries({ turn, run, calls, opening }: LiveTurn, parts: TurnParts): readonly NewEntry[] {
  const input = calls.isOpened ? [] : opening;
  const text = run.textSoFar;
  if (text.trim() === "") return input;
  const provider = parts.getAgent(turn.record.agentId).runtime;
  const stamp = { id: turn.answerId, timestamp: parts.ports.clock.now() };
  return [...input, formatEntry(buildAnswerEntry(stamp, { text, stopReason: "stopped", provider }))];
}
