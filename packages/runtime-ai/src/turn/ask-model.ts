import type { RuntimeHost, SessionSpec, Usage } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { type FinishReason, type ModelMessage, NoSuchToolError, stepCountIs, streamText } from "ai";
import type { OpenedModel } from "../models/model-shelf.ts";
import { withoutWarnings } from "../models/without-warnings.ts";
import { ReadCalls } from "./read-calls.ts";
import { SilenceWatch } from "./silence-watch.ts";
import type { StepSteering } from "./steered-messages.ts";
import { StepRecord } from "./step-record.ts";
import { resolveReasoning } from "./thinking.ts";
import { buildTurnTools } from "./turn-tools.ts";
import type { TurnVoice } from "./turn-voice.ts";
import { addUsage } from "./usage-count.ts";

export interface ModelRequest {
  readonly live: LiveTurn;
  readonly voice: TurnVoice;
  readonly spec: SessionSpec;
  readonly host: RuntimeHost;
  readonly model: OpenedModel;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** What of them, and of what has come behind them since, the model is sent: it is gone on from that. */
  fit(messages: readonly ModelMessage[]): readonly ModelMessage[];
  readonly steering: StepSteering;
  /** Requests to the model that are left to this turn. */
  readonly stepLimit: number;
  /** What the turn has spent until now. */
  readonly usage: Usage;
}

/** How a call of a model with all its steps ended. `stepCount` counts those that came to their end. */
export type ModelEnd = { readonly usage: Usage; readonly stepCount: number } & (
  | { readonly kind: "finished"; readonly reason: FinishReason }
  | { readonly kind: "failed"; readonly error: unknown; readonly messages: readonly ModelMessage[] }
);

/**
 * Asks a model, step after step, as long as it calls tools: its words and calls go to the turn as they come. Rejects only
 * where the turn is interrupted.
 */
export async function askModel(request: ModelRequest): Promise<ModelEnd> {
  const { live, spec, host, model, system, messages, steering, stepLimit } = request;
  const record = new StepRecord(messages);
  const calls = new ReadCalls();
  const giveUp = new AbortController();
  const watch = new SilenceWatch(
    host.clock,
    () => calls.isCalling,
    (error) => giveUp.abort(error),
  );
  const reasoning = resolveReasoning(spec.thinking);
  const result = streamText({
    model: withoutWarnings(model.model, (warning) =>
      host.log.warn({ session: spec.sessionKey, model: model.name }, `a model warns: ${warning}`),
    ),
    instructions: system,
    messages: [...messages],
    tools: buildTurnTools(spec.tools, { live, calls }),
    // Ordinals are given in order: a call that is committed has none before it that is not.
    toolCallConcurrency: 1,
    stopWhen: stepCountIs(stepLimit),
    // Retries are decided in one place, for all steps and models alike.
    maxRetries: 0,
    abortSignal: AbortSignal.any([live.signal, giveUp.signal]),
    ...steering,
    ...(reasoning === undefined ? {} : { reasoning }),
    prepareStep: ({ messages: asked }) => {
      const fitted = request.fit(asked);
      record.begin(fitted);
      return fitted === asked ? {} : { messages: [...fitted] };
    },
    // Errors are read as parts of the stream; the SDK would print them else.
    onError: () => undefined,
  });
  try {
    return await readParts(result.fullStream, { ...request, record, calls, watch, giveUp: giveUp.signal });
  } finally {
    watch.close();
    giveUp.abort();
  }
}

interface Reading extends Pick<ModelRequest, "live" | "voice" | "usage"> {
  readonly record: StepRecord;
  readonly calls: ReadCalls;
  readonly watch: SilenceWatch;
  readonly giveUp: AbortSignal;
}

type Parts = ReturnType<typeof streamText>["fullStream"];
type Part = Parts extends AsyncIterable<infer One> ? One : never;
interface Broken {
  readonly type: "broken";
  readonly error: unknown;
}

async function readParts(
  stream: Parts,
  { live, voice, usage: before, record, calls, watch, giveUp }: Reading,
): Promise<ModelEnd> {
  const parts = stream[Symbol.asyncIterator]();
  let usage = before;
  let stepCount = 0;
  let reason: FinishReason | undefined;
  const fail = (error: unknown): ModelEnd => ({
    kind: "failed",
    error,
    usage,
    stepCount,
    messages: record.buildResumption(),
  });
  for (;;) {
    const part = await nextPart(parts, live);
    if (part === undefined) break;
    watch.hear();
    if (part.type === "text-delta") {
      record.addText(part.text);
      await voice.say(part.text);
    } else if (part.type === "tool-call") {
      calls.read(part.toolCallId);
      if (NoSuchToolError.isInstance(part.error)) calls.miss(part.toolName, part.input);
    } else if (part.type === "finish-step") {
      for (const { name, input } of calls.takeMissed()) await live.callTool(name, input);
      usage = addUsage(usage, part.usage);
      live.reportUsage(usage);
      if (isBrokenOff(part.finishReason, part.rawFinishReason))
        return fail(new Error("the answer broke off without an end"));
      record.endText();
      voice.endStep();
      stepCount += 1;
      reason = part.finishReason;
    } else if (part.type === "error" || part.type === "broken") {
      return fail(part.error);
    } else if (part.type === "abort") break;
  }
  if (giveUp.aborted) return fail(giveUp.reason);
  if (reason === undefined) return fail(new Error("the answer ended before it began"));
  return { kind: "finished", reason, usage, stepCount };
}

/** Undefined at the end. Where the connection breaks, the stream itself fails. Rejects only where the turn is interrupted. */
async function nextPart(parts: AsyncIterator<Part>, live: LiveTurn): Promise<Part | Broken | undefined> {
  try {
    const next = await live.waitFor(parts.next());
    return next.done === true ? undefined : next.value;
  } catch (error) {
    live.signal.throwIfAborted();
    return { type: "broken", error };
  }
}

/** A stream that only stops says no reason for it. */
function isBrokenOff(reason: FinishReason, raw: string | undefined): boolean {
  return reason === "interrupted" || reason === "error" || (reason === "other" && raw === undefined);
}
