import type { ChatRequest } from "../messages/chat-request.ts";
import { readText } from "../messages/read-request.ts";
import type { ModelReply, ScriptedCall } from "../script/model-script.ts";

const CHARS_PER_TOKEN = 4;

type Delta = Readonly<Record<string, unknown>>;

/** An answer as the chunks of a stream (API reference, "The chat completion chunk object"), without the mark of its end. */
export function buildChunks(request: ChatRequest, reply: ModelReply, index: number): readonly object[] {
  const head = { id: `chatcmpl-${index}`, object: "chat.completion.chunk", created: 0, model: request.model };
  const { finishReason = reply.calls === undefined ? "stop" : "tool_calls" } = reply;
  const deltas = buildDeltas(reply, index);
  const chunks: object[] = deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }));
  chunks.push({ ...head, choices: [{ index: 0, delta: {}, finish_reason: finishReason }] });
  if (request.stream_options?.include_usage === true)
    chunks.push({ ...head, choices: [], usage: buildUsage(request, reply) });
  return chunks;
}

/** The same in one piece ("The chat completion object"). */
export function buildCompletion(request: ChatRequest, reply: ModelReply, index: number): object {
  const { finishReason = reply.calls === undefined ? "stop" : "tool_calls" } = reply;
  const message = {
    role: "assistant",
    content: listTexts(reply).join(""),
    ...(reply.calls === undefined ? {} : { tool_calls: reply.calls.map((call, at) => buildCall(call, index, at)) }),
  };
  return {
    id: `chatcmpl-${index}`,
    object: "chat.completion",
    created: 0,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: buildUsage(request, reply),
  };
}

/** One chunk each; a call comes in two, its arguments behind its name. */
function buildDeltas(reply: ModelReply, index: number): readonly Delta[] {
  const calls = (reply.calls ?? []).flatMap((call, at): Delta[] => {
    const built = buildCall(call, index, at);
    const named = { ...built, index: at, function: { ...built.function, arguments: "" } };
    const rest = { index: at, function: { arguments: built.function.arguments } };
    return [{ tool_calls: [named] }, { tool_calls: [rest] }];
  });
  return [
    { role: "assistant", content: "" },
    ...(reply.reasoning === undefined ? [] : [{ reasoning_content: reply.reasoning }]),
    ...listTexts(reply).map((content) => ({ content })),
    ...calls,
  ];
}

function listTexts({ text = [] }: ModelReply): readonly string[] {
  return typeof text === "string" ? [text] : text;
}

function buildCall({ name, args = {} }: ScriptedCall, index: number, at: number) {
  const written = typeof args === "string" ? args : JSON.stringify(args);
  return { id: `call_${index}_${at}`, type: "function", function: { name, arguments: written } };
}

function buildUsage(request: ChatRequest, reply: ModelReply): object {
  const asked = request.messages.reduce((sum, message) => sum + readText(message).length, 0);
  const said = listTexts(reply).join("").length + JSON.stringify(reply.calls ?? "").length;
  const {
    promptTokens = Math.ceil(asked / CHARS_PER_TOKEN),
    completionTokens = Math.ceil(said / CHARS_PER_TOKEN),
    cachedTokens = 0,
  } = reply.usage ?? {};
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
