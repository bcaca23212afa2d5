import type { ChatRequest } from "../messages/chat-request.ts";
import { findLastSaid, listToolResults } from "../messages/read-request.ts";

export interface ScriptedCall {
  readonly name: string;
  /** JSON; a string is sent as it stands, so that a script can send what is no JSON. */
  readonly args?: unknown;
}

/** What the model answers to one request. */
export interface ModelReply {
  /** Told before the text, where the model thinks aloud. */
  readonly reasoning?: string;
  /** One chunk of the stream each. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool_calls` with calls, else `stop`. */
  readonly finishReason?: "stop" | "length" | "tool_calls" | "content_filter";
  /** Default: one token for every four characters, as a rule of thumb. */
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number; readonly cachedTokens?: number };
}

/** Asked for each request that no fault keeps away; `index` counts those from 0. */
export type ModelScript = (request: ChatRequest, index: number) => ModelReply;

/** Says what it was told, word by word; told `use NAME …`, it calls the tool of that name first. */
export const repeatWords: ModelScript = (request) => {
  const said = findLastSaid(request);
  const tool = /^use (\w+)/u.exec(said)?.[1];
  if (tool !== undefined && listToolResults(request).length === 0) return { calls: [{ name: tool }] };
  return { text: `You said: ${said}`.split(/(?<= )/u) };
};
