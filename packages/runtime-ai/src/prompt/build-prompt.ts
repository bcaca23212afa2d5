import type { SessionSpec, TranscriptEntry, TurnInput } from "@banyan/plugin-sdk";
import { NO_IMAGES, type SeenImages } from "@banyan/plugin-sdk/runtime";
import type { ModelMessage } from "ai";
import { estimateTokens, type FittedPrompt, fitWindow } from "./fit-window.ts";
import { buildCallMessages, buildHistoryMessages } from "./history-messages.ts";
import { formatTurnMessage, isAmongSeveral } from "./turn-words.ts";
import { buildUserContent, joinContents } from "./user-content.ts";

export interface PromptSource {
  readonly spec: SessionSpec;
  readonly input: TurnInput;
  readonly history: readonly TranscriptEntry[];
  readonly system: string;
  readonly windowTokens: number;
  /** Those that the model is shown. */
  readonly images?: SeenImages;
}

/** All that a model is given for a turn, with what earlier attempts of it have done already. Pure. */
export function buildPrompt(source: PromptSource): FittedPrompt {
  const { spec, input, history, system, windowTokens, images = NO_IMAGES } = source;
  const isNamed = isAmongSeveral(spec.sessionKey);
  const asked: ModelMessage[] = input.input.map((message) => ({
    role: "user",
    content: buildUserContent(formatTurnMessage(message, isNamed), message.attachments, images),
  }));
  const done = input.committedCalls.flatMap(({ ordinal, name, args, result }) =>
    buildCallMessages({ id: `call_${ordinal}`, name, args }, result),
  );
  const { messages, leftOutCount } = fitWindow({
    history: buildHistoryMessages(history, isNamed, images),
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
    if (last?.role === "user" && message.role === "user")
      joined[joined.length - 1] = { role: "user", content: joinContents(last.content, message.content) };
    else joined.push(message);
  }
  return joined;
}
