import type { SessionSpec, TranscriptEntry, TurnInput } from "@banyan/plugin-sdk";
import { NO_IMAGES, type SeenImages } from "@banyan/plugin-sdk/runtime";
import type { ModelMessage } from "ai";
import { fitWindow, type Prompt } from "./fit-window.ts";
import { buildCallMessages, buildHistoryMessages } from "./history-messages.ts";
import { formatTurnMessage, isAmongSeveral } from "./turn-words.ts";
import { buildUserContent, joinContents } from "./user-content.ts";

export interface PromptSource {
  readonly spec: SessionSpec;
  readonly input: TurnInput;
  readonly history: readonly TranscriptEntry[];
  /** Those that the model is shown. */
  readonly images?: SeenImages;
}

export interface TurnPrompt {
  readonly messages: readonly ModelMessage[];
  /** Where the turn begins in them; what stands before is the conversation so far. */
  readonly turnStart: number;
}

/** All that was said and done, with what earlier attempts of the turn have done already. Pure. */
export function buildPrompt({ spec, input, history, images = NO_IMAGES }: PromptSource): TurnPrompt {
  const isNamed = isAmongSeveral(spec.sessionKey);
  const asked: ModelMessage[] = input.input.map((message) => ({
    role: "user",
    content: buildUserContent(formatTurnMessage(message, isNamed), message.attachments, images),
  }));
  const done = input.committedCalls.flatMap(({ ordinal, name, args, result }) =>
    buildCallMessages({ id: `call_${ordinal}`, name, args }, result),
  );
  const before = joinNeighbours(buildHistoryMessages(history, isNamed, images));
  const isJoined = before.at(-1)?.role === "user" && asked.length > 0;
  return {
    messages: joinNeighbours([...before, ...asked, ...done]),
    turnStart: before.length - (isJoined ? 1 : 0),
  };
}

export interface FittedTurn extends TurnPrompt {
  /** How many of the oldest messages are not in it, those that an earlier fit left out included. */
  readonly leftOutCount: number;
}

/**
 * As much of it as a model takes. Messages of the turn are the same objects, but for the first: by that the SDK knows what
 * was steered at it. `otherTokens`: of everything else that is sent. Pure.
 */
export function fitPrompt(
  { messages, turnStart, leftOutCount: before }: FittedTurn,
  limits: Pick<Prompt, "otherTokens" | "windowTokens">,
): FittedTurn {
  const [history, turn] = [messages.slice(0, turnStart), messages.slice(turnStart)];
  const { head, leftOutCount } = fitWindow({ history, turn, leftOutBefore: before, ...limits });
  if (leftOutCount === before) return { messages, turnStart, leftOutCount };
  const begun = joinNeighbours([...head, ...turn.slice(0, 1)]);
  return { messages: [...begun, ...turn.slice(1)], turnStart: begun.length - 1, leftOutCount };
}

/** One message for what people said in a row, as where a turn failed: many models' templates want the roles to take turns. */
function joinNeighbours(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === "user" && message.role === "user")
      joined[joined.length - 1] = { role: "user", content: joinContents(last.content, message.content) };
    else joined.push(message);
  }
  return joined;
}
