import { isAddress } from "@banyan/plugin-sdk";
import type { NewEntry } from "@banyan/plugin-sdk/store";
import { parseItemBody } from "../lanes/item-body.ts";
import type { LaneClaim } from "../lanes/lane-claim.ts";
import { buildAnswerEntry, buildInputEntry, formatEntry, parseEntry } from "../sessions/transcript.ts";
import { type AgentEnd, AgentRun } from "./agent-run.ts";
import type { Turn } from "./compose-turn.ts";
import { buildTurnMessage, fillWords } from "./turn-message.ts";
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

/** Makes a claimed turn ready to run; it takes up what earlier attempts committed. */
export async function openLiveTurn(claim: LaneClaim, parts: TurnParts): Promise<LiveTurn> {
  const turn = await readTurn(claim, parts);
  const { record } = turn;
  const { sessionId } = record.entry;
  const { seq: itemSeq } = claim.item;
  // The count of attempts does not tell: an orderly stop gives the attempt back, and what it wrote stays.
  const earlier = claim.isNew ? [] : await parts.store.read.entriesOfItem({ itemSeq });
  const input = () => buildInputEntry({ id: parts.ports.createId(), timestamp: turn.body.at }, turn.body);
  // After a reset it goes on in the new conversation, which knows nothing of it yet.
  const isOpened = earlier.some((row) => row.sessionId === sessionId);
  const opening = isOpened ? [] : [formatEntry(input())];
  const run = new AgentRun(parts.ports);
  const calls = new TurnToolCalls(
    {
      lane: claim.lane,
      epoch: claim.epoch,
      sessionId,
      itemSeq,
      committed: readCommittedCalls(earlier.map(parseEntry)),
      opening,
      runTool: async (call) => {
        const agent = parts.getAgent(record.agentId);
        const session = { sessionKey: claim.lane, agent, turnId: turn.id, signal: run.signal };
        const { text, isError } = await parts.tools.call(call, session);
        return { text: parts.ports.scrub(text), isError };
      },
    },
    parts,
  );
  return { turn, run, calls, opening };
}

async function readTurn(claim: LaneClaim, parts: TurnParts): Promise<Turn> {
  const { lane } = claim;
  const { address, seq, body } = claim.item;
  if (!isAddress(address)) throw new TypeError(`A turn was begun: the item ${seq} has no address, but ${address}`);
  // The cache may have dropped the record between the claim and now.
  const row =
    claim.session ?? (parts.sessions.find(lane) === undefined ? await parts.store.read.session(lane) : undefined);
  const record = parts.sessions.accept(lane, row);
  const answerId = parts.ports.createId();
  return { id: `${lane}#${seq}`, claim, record, body: fillWords(parseItemBody(body)), address, answerId };
}

export async function runAgent({ turn, run, calls }: LiveTurn, parts: TurnParts): Promise<AgentEnd> {
  const { claim, record, address } = turn;
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
        input: [message],
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

/** What a stopped turn had said so far: kept in the transcript, never sent. */
export function buildStoppedEntries({ turn, run, calls, opening }: LiveTurn, parts: TurnParts): readonly NewEntry[] {
  const input = calls.isOpened ? [] : opening;
  const text = run.textSoFar;
  if (text.trim() === "") return input;
  const provider = parts.getAgent(turn.record.agentId).runtime;
  const stamp = { id: turn.answerId, timestamp: parts.ports.clock.now() };
  return [...input, formatEntry(buildAnswerEntry(stamp, { text, stopReason: "stopped", provider }))];
}
