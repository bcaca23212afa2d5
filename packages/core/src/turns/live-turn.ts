import type {
  ChannelPeer,
  PermissionRequest,
  PermissionVerdict,
  ToolCall,
  ToolResult,
  Usage,
} from "@banyan/plugin-sdk";
import { countStarts, type NewEntry } from "@banyan/store";
import type { LaneClaim } from "../lanes/lane-claim.ts";
import type { AskingTurn } from "../questions/question-desk.ts";
import { NO_REPLY } from "../runs/silent-answer.ts";
import { leaveOutSetBack } from "../sessions/set-back.ts";
import { parseEntry } from "../sessions/transcript.ts";
import { sumUsage } from "../sessions/usage-sum.ts";
import type { AgentEnd, AgentRunSpec } from "./agent-end.ts";
import { AgentRun } from "./agent-run.ts";
import { findAskedPerson } from "./asked-person.ts";
import { MOST_ATTEMPTS, type Turn } from "./compose-turn.ts";
import { buildOpening, leaveOutWritten, readTurn } from "./read-turn.ts";
import type { TakenMessage } from "./taken-message.ts";
import { createToolPlaces, type ToolPlaces } from "./tool-places.ts";
import { buildTurnMessages } from "./turn-message.ts";
import type { TurnAgent, TurnCaller, TurnChannel, TurnParts } from "./turn-parts.ts";
import {
  findUnfinishedCall,
  LaneLostError,
  readCommittedCalls,
  TurnStoppedError,
  TurnToolCalls,
} from "./turn-tools.ts";

/** How much of a transcript an agent is given at most, in entries. */
const HISTORY_ENTRIES = 1_000;

const NOTHING = { heard: [], offered: [] } as const;

/** A turn at work: the agent, its tool calls, and what opened it. */
export interface LiveTurn {
  readonly turn: Turn;
  /** As it was when the turn began. */
  readonly agent: TurnAgent;
  readonly run: AgentRun;
  readonly calls: TurnToolCalls;
  /** What the turn answers to, as entries; empty when an earlier attempt wrote it. */
  readonly opening: readonly NewEntry[];
  /** A call that an earlier attempt began and that cannot be repeated: the turn cannot go on. */
  readonly unfinished: ToolCall | undefined;
  /** What earlier attempts have used, as far as they wrote it down; absent: nobody knows of any. */
  readonly earlierUsage: Usage | undefined;
  /** What it was told while it ran, and has taken. Grows. */
  readonly heard: readonly TakenMessage[];
}

/** Makes a claimed turn ready to run; it takes up what earlier attempts committed. */
export async function openLiveTurn(
  claim: LaneClaim,
  parts: TurnParts,
  { heard, offered }: { readonly heard: readonly TakenMessage[]; readonly offered: readonly TakenMessage[] } = NOTHING,
): Promise<LiveTurn> {
  const { seq: itemSeq } = claim.item;
  // The count of attempts does not tell: an orderly stop gives the attempt back, and what it wrote stays.
  const earlier = claim.isNew ? [] : await parts.store.read.entriesOfItem({ itemSeq });
  const known = earlier.map(parseEntry);
  const unfinished = findUnfinishedCall(known);
  const isGivenUp = unfinished !== undefined || claim.item.attempt > MOST_ATTEMPTS;
  const turn = await readTurn(claim, earlier, isGivenUp, parts);
  const { record } = turn;
  const { sessionId } = record.entry;
  // After a reset it goes on in the new conversation, which knows nothing of it yet.
  const written = earlier.filter((row) => row.sessionId === sessionId);
  const opening = leaveOutWritten(buildOpening(turn), written);
  const agent = parts.getAgent(record);
  const run = new AgentRun(parts.ports);
  let places: ToolPlaces | undefined;
  const ask = (request: PermissionRequest) => askPerson(request, { turn, run, calls }, parts);
  const calls: TurnToolCalls = new TurnToolCalls(
    {
      lane: claim.lane,
      epoch: claim.epoch,
      sessionId,
      itemSeq,
      committed: readCommittedCalls(known),
      hasAsked: known.some(({ kind }) => kind === "question"),
      opening,
      readUsage: () => run.usageSoFar,
      runTool: async (call, desk) => {
        places ??= createToolPlaces(agent.budgets?.maxConcurrentTools);
        const session = {
          sessionKey: claim.lane,
          agent,
          turnId: turn.id,
          signal: run.signal,
          turn: buildTurnCaller(turn, [...heard, ...offered], await findAskedPerson(turn, parts.store.read)),
          ask,
          ...desk,
        };
        return scrubResult(await places.take(() => parts.tools.call(call, session)), parts.ports.scrub);
      },
    },
    parts,
  );
  return {
    turn,
    agent,
    run,
    calls,
    opening,
    unfinished,
    heard,
    earlierUsage: sumUsage(written.map(parseEntry)),
  };
}

/** While a person is thinking the turn takes no place among those that work, and is no suspect any more. */
async function askPerson(
  request: PermissionRequest,
  { turn, run, calls }: Pick<LiveTurn, "turn" | "run" | "calls">,
  parts: TurnParts,
): Promise<PermissionVerdict> {
  const { claim, record, address } = turn;
  const askedOf = await findAskedPerson(turn, parts.store.read);
  const asking: AskingTurn = {
    itemSeq: claim.item.seq,
    sessionKey: claim.lane,
    sessionId: record.entry.sessionId,
    address,
    ...(askedOf === undefined ? {} : { askedOf }),
    signal: run.signal,
    rest: (work) => parts.rest(claim.lane, work),
    write: (entries, more) => calls.write(entries, more),
  };
  const verdict = await parts.questions.ask(request, asking);
  // An answer that nobody gave must not stand in the transcript as one.
  if (verdict.kind === "denied" && verdict.why === "stopped") throw new TurnStoppedError(claim.lane);
  return verdict;
}

export async function runAgent(
  { turn, agent, run, calls, earlierUsage }: LiveTurn,
  parts: TurnParts,
  findPassed: AgentRunSpec["findPassed"],
): Promise<AgentEnd> {
  const { claim, record, address } = turn;
  const { sessionId } = record.entry;
  const ending = calls.committed.find(({ result }) => result.endsTurn !== undefined)?.result.endsTurn;
  // An earlier attempt came to its end, and only that was not written.
  if (ending !== undefined) return { text: ending.text ?? NO_REPLY, reason: "done", runtimeId: agent.runtime };
  const history = async () => {
    const rows = await parts.store.read.entries({ sessionId, limit: HISTORY_ENTRIES, newest: true });
    return leaveOutSetBack(rows.filter((row) => row.itemSeq !== claim.item.seq));
  };
  const input = await buildTurnMessages(turn, parts);
  const channel = parts.getChannel(address);
  return run.run(
    {
      agent,
      sessionKey: claim.lane,
      sessionId,
      address,
      ...(findPassed === undefined ? {} : { findPassed }),
      channel: turn.body.isQuiet ? quieten(channel) : channel,
      input: {
        turnId: turn.id,
        epoch: claim.epoch,
        attempt: countStarts(claim.item),
        input,
        committedCalls: calls.committed,
        ...(earlierUsage === undefined ? {} : { earlierUsage }),
        history,
        readAttachment: (file, limitBytes) =>
          parts.readAttachment(file, { ...agent, sessionId, limitBytes, signal: run.signal }),
        callTool: async (call) => {
          try {
            const result = await run.during(() => calls.call(call));
            if (result.endsTurn !== undefined) {
              calls.end();
              run.finish(result.endsTurn);
            }
            return result;
          } catch (error) {
            // Not awaited: the runtime cannot come to rest while it waits for this call.
            if (error instanceof LaneLostError) void run.stop("the lane is lost");
            throw error;
          }
        },
        askPermission: async (request) => {
          try {
            // Apart from the ids of the host's own questions, whatever a runtime names its own.
            const own = { ...request, id: `runtime|${request.id}` };
            return await run.during(() => askPerson(own, { turn, run, calls }, parts));
          } catch (error) {
            if (error instanceof LaneLostError) void run.stop("the lane is lost");
            throw error;
          }
        },
      },
    },
    parts,
  );
}

function scrubResult({ text, isError, endsTurn, says }: ToolResult, scrub: (text: string) => string): ToolResult {
  const ending = endsTurn?.text === undefined ? {} : { text: scrub(endsTurn.text) };
  return {
    text: scrub(text),
    isError,
    ...(endsTurn === undefined ? {} : { endsTurn: ending }),
    ...(says === undefined ? {} : { says: { ...says, text: scrub(says.text) } }),
  };
}

/** Who calls a tool, as the tools that act on sessions need it. */
function buildTurnCaller(
  { claim, record, address, body, messages }: Turn,
  heard: readonly TakenMessage[],
  asked: ChannelPeer | undefined,
): TurnCaller {
  const { seq: itemSeq, runId } = claim.item;
  return {
    itemSeq,
    epoch: claim.epoch,
    address,
    isQuiet: body.isQuiet === true,
    sessionId: record.entry.sessionId,
    ...(body.attachments === undefined ? {} : { attachments: body.attachments }),
    taken: [...messages, ...heard],
    ...(asked === undefined ? {} : { person: asked.peer }),
    ...(runId === undefined ? {} : { runId }),
    ...(body.hops === undefined ? {} : { hops: body.hops }),
  };
}

/** What nobody is to see grow. */
function quieten({ connection: _, ...channel }: TurnChannel): TurnChannel {
  return channel;
}
