import type { RuntimeHost, SessionSpec, Usage } from "@banyan/plugin-sdk";
import { pause } from "@banyan/plugin-sdk/kit";
import { type LiveTurn, NO_IMAGES, readImages, type TurnEnd } from "@banyan/plugin-sdk/runtime";
import type { FinishReason } from "ai";
import { classifyFailure, type Failure, formatFailure, isImageRefusal } from "../failures/classify-failure.ts";
import { decideRetry } from "../failures/decide-retry.ts";
import type { OpenedModel } from "../models/model-shelf.ts";
import { buildPrompt, type FittedTurn, fitPrompt } from "../prompt/build-prompt.ts";
import { estimateTokens } from "../prompt/fit-window.ts";
import { buildSystemPrompt } from "../prompt/system-prompt.ts";
import { holdsImages, withoutImages } from "../prompt/user-content.ts";
import { askModel, type ModelRequest } from "./ask-model.ts";
import type { SteeredMessages } from "./steered-messages.ts";
import { TurnVoice } from "./turn-voice.ts";

/** More requests than any task of a turn needs; a model that goes round in circles stops there. */
const STEP_LIMIT = 60;

export interface AnswerStage {
  readonly spec: SessionSpec;
  readonly host: RuntimeHost;
  readonly steered: SteeredMessages;
  /** In the order in which they are asked; at least one. */
  readonly models: readonly string[];
  getModel(name: string): Promise<OpenedModel>;
  readonly random: () => number;
}

/** Where a turn stands between one request and the next. */
interface Progress {
  readonly voice: TurnVoice;
  /** What the model is asked next. */
  prompt: FittedTurn | undefined;
  /** Models that have refused pictures. */
  readonly blind: Set<string>;
  usage: Usage;
  stepsLeft: number;
  /** In a row, of the present model. */
  failures: number;
}

/** Answers a turn: each model is asked again as long as its failures pass, then the next one, which goes on where it stood. */
export async function answerTurn(live: LiveTurn, stage: AnswerStage): Promise<TurnEnd> {
  const progress: Progress = {
    voice: new TurnVoice(live),
    prompt: undefined,
    blind: new Set(),
    usage: {},
    stepsLeft: STEP_LIMIT,
    failures: 0,
  };
  const troubles: string[] = [];
  let isRetryable = false;
  for (const name of stage.models) {
    progress.failures = 0;
    const end = await askPatiently(live, stage, progress, name);
    if (end.kind === "ended") return end.end;
    const { failure } = end;
    troubles.push(formatFailure(name, failure));
    isRetryable ||= failure.kind === "passing";
    stage.host.log.warn({ turnId: live.input.turnId, model: name }, `a model was given up: ${failure.text}`);
  }
  return { reason: "error", error: { isRetryable, message: troubles.join(" ") } };
}

type Asked =
  | { readonly kind: "ended"; readonly end: TurnEnd }
  | { readonly kind: "given-up"; readonly failure: Failure };

async function askPatiently(live: LiveTurn, stage: AnswerStage, progress: Progress, name: string): Promise<Asked> {
  const { host } = stage;
  for (;;) {
    const error = await askOnce(live, stage, progress, name);
    if ("end" in error) return { kind: "ended", end: error.end };
    const failure = classifyFailure(error.cause);
    if (!progress.blind.has(name) && isImageRefusal(error.cause) && holdsImages(progress.prompt?.messages ?? [])) {
      progress.blind.add(name);
      host.log.warn({ model: name }, `a model is asked again without pictures: ${failure.text}`);
      continue;
    }
    const decision = decideRetry(failure, progress.failures, stage.random());
    if (decision.kind === "give-up") return { kind: "given-up", failure };
    progress.failures += 1;
    const { afterMs } = decision;
    host.log.info({ turnId: live.input.turnId, model: name, afterMs }, `a model is asked again: ${failure.text}`);
    await pause(host.clock, afterMs, live.signal);
    live.signal.throwIfAborted();
  }
}

async function askOnce(
  live: LiveTurn,
  stage: AnswerStage,
  progress: Progress,
  name: string,
): Promise<{ readonly end: TurnEnd } | { readonly cause: unknown }> {
  const { spec, host, steered } = stage;
  const system = buildSystemPrompt(spec);
  const opened = await live.waitFor(openModel(stage, name));
  if ("cause" in opened) return opened;
  progress.prompt ??= await readPrompt(live, stage, opened.model);
  live.reportModel(opened.model.name);
  const asked = await askModel({
    live,
    voice: progress.voice,
    spec,
    host,
    model: opened.model,
    system,
    messages: progress.prompt.messages,
    fit: createFit(stage, progress, { system, model: opened.model, isBlind: progress.blind.has(name) }),
    steering: steered.open(),
    stepLimit: progress.stepsLeft,
    usage: progress.usage,
  });
  progress.usage = asked.usage;
  progress.stepsLeft -= asked.stepCount;
  if (asked.kind === "finished") return { end: await endTurn(progress, asked.reason) };
  progress.prompt = { ...progress.prompt, messages: asked.messages };
  // It got further than before: its next failure is another one.
  if (asked.stepCount > 0) progress.failures = 0;
  return progress.stepsLeft > 0 ? { cause: asked.error } : { end: await endTurn(progress, "tool-calls") };
}

interface Fitting {
  readonly system: string;
  readonly model: OpenedModel;
  /** It has refused pictures. */
  readonly isBlind: boolean;
}

/** What one model is sent: no pictures where it sees none, and before each request as much as its window takes. */
function createFit(
  { spec, host }: AnswerStage,
  progress: Progress,
  { system, model, isBlind }: Fitting,
): ModelRequest["fit"] {
  const { windowTokens, takesImages } = model;
  const otherTokens = estimateTokens(system) + estimateTokens(JSON.stringify(spec.tools));
  const seesImages = takesImages === true && !isBlind;
  return (asked) => {
    const messages = seesImages || !holdsImages(asked) ? asked : withoutImages(asked);
    const { turnStart = 0, leftOutCount: before = 0 } = progress.prompt ?? {};
    const fitted = fitPrompt({ messages, turnStart, leftOutCount: before }, { otherTokens, windowTokens });
    const { leftOutCount } = fitted;
    if (leftOutCount > before)
      host.log.info({ session: spec.sessionKey, leftOutCount }, "the oldest messages did not fit the model's window");
    progress.prompt = fitted;
    return fitted.messages;
  };
}

async function openModel(
  { getModel }: AnswerStage,
  name: string,
): Promise<{ readonly model: OpenedModel } | { readonly cause: unknown }> {
  try {
    return { model: await getModel(name) };
  } catch (cause) {
    return { cause };
  }
}

async function readPrompt(live: LiveTurn, { spec }: AnswerStage, { takesImages }: OpenedModel): Promise<FittedTurn> {
  const history = await live.waitFor(live.input.history());
  const images = takesImages === true ? await readImages(live, history) : NO_IMAGES;
  return { ...buildPrompt({ spec, input: live.input, history, images }), leftOutCount: 0 };
}

async function endTurn({ voice, stepsLeft }: Progress, reason: FinishReason): Promise<TurnEnd> {
  if (reason === "tool-calls" && stepsLeft <= 0) {
    await voice.say(`… (stopped: the model was asked ${STEP_LIMIT} times in this turn)`);
    return { reason: "length" };
  }
  if (reason === "content-filter") await voice.say("… (the provider's filter ended the answer)");
  return { reason: reason === "length" ? "length" : "done" };
}
