import type { SessionSpec, TranscriptEntry, TurnInput } from "@banyan/plugin-sdk";
import type { ModelMessage } from "ai";
import { estimateTokens, type FittedPrompt, fitWindow } from "./fit-window.ts";
import { buildCallMessages, buildHistoryMessages } from "./history-messages.ts";
import { formatTurnMessage, isAmongSeveral } from "./turn-words.ts";

export interface PromptSource {
  readonly spec: SessionSpec;
  readonly input: TurnInput;
  readonly history: readonly TranscriptEntry[];
  readonly system: string;
  readonly windowTokens: number;
}

/** All that a model is given for a turn, with what earlier attempts of it have done already. Pure. */
export function buildPrompt({ spec, input, history, system, windowTokens }: PromptSource): FittedPrompt {
  const isNamed = isAmongSeveral(spec.sessionKey);
  const asked: ModelMessage[] = input.input.map((message) => ({
    role: "user",
    content: formatTurnMessage(message, isNamed),
  }));
  const done = input.committedCalls.flatMap(({ ordinal, name, args, result }) =>
    buildCallMessages({ id: `call_${ordinal}`, name, args }, result),
  );
  const { messages, leftOutCount } = fitWindow({
    history: buildHistoryMessages(history, isNamed),
    turn: [...asked, ...done],
    otherTokens: estimateTokens(system) + estimateTokens(JSON.stringify(spec.tools)),
    windowTokens,
  });
  return { messages: joinNeighbours(messages), leftOutCount };
}

/** One message for what people said in a row, as where a turn failed: many models' templates want the roles to take turns. */
function joinNeighbours(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === "user" && message.role === "user" && isText(last.content) && isText(message.content))
      joined[joined.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
    else joined.push(message);
  }
  return joined;
}

function isText(content: unknown): content is string {
  return typeof content === "string";
}
