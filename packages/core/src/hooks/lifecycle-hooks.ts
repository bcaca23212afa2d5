import type {
  Address,
  Announcement,
  Clock,
  CompactionEvent,
  DeliveryReceipt,
  DeliveryTarget,
  EndedRun,
  GatewayEvent,
  LifecycleHooks,
  Log,
  MessageReceived,
  MessageSending,
  SendingAnswer,
  SessionEvent,
  SpawnedRun,
  SpawningAnswer,
  SpawningRun,
  TapPoint,
  ToolCallEvent,
  ToolRefusal,
  ToolResult,
  TurnAdditions,
  TurnEvent,
  TurnStart,
} from "@banyan/plugin-sdk";
import { z } from "zod";
import { type Bail, createBail, createObserver, createWaterfall, type Observer, type Waterfall } from "./tap-kinds.ts";

/** `LifecycleHooks` as the core calls them. */
export interface CallableHooks extends LifecycleHooks {
  readonly gateway_start: Observer<GatewayEvent>;
  readonly gateway_stop: Observer<GatewayEvent>;
  readonly session_start: Observer<SessionEvent>;
  readonly session_end: Observer<SessionEvent>;
  readonly message_received: Observer<MessageReceived>;
  readonly message_sending: Waterfall<MessageSending & { readonly cancelled?: string }, SendingAnswer>;
  readonly before_turn: Waterfall<TurnStart & Partial<TurnAdditions>, TurnAdditions>;
  readonly after_turn: Observer<TurnEvent>;
  readonly before_tool_call: Bail<ToolCallEvent, ToolRefusal>;
  readonly after_tool_call: Waterfall<ToolCallEvent & { readonly result: ToolResult }, ToolResult>;
  readonly before_compaction: Waterfall<
    CompactionEvent & { readonly instructions?: string },
    { readonly instructions: string }
  >;
  readonly after_compaction: Observer<CompactionEvent>;
  readonly subagent_spawning: Bail<SpawningRun, SpawningAnswer>;
  readonly subagent_spawned: Observer<SpawnedRun>;
  readonly subagent_ended: Observer<EndedRun>;
  readonly subagent_delivery_target: Bail<DeliveryTarget, Address>;
  readonly announce: Bail<Announcement, DeliveryReceipt>;
}

/** The one list of hooks: how each combines its taps, and what a tap that throws does. */
export function createLifecycleHooks(around: { clock: Clock; log: Log }): CallableHooks {
  return {
    gateway_start: createObserver("gateway_start", around),
    gateway_stop: createObserver("gateway_stop", around),
    session_start: createObserver("session_start", around),
    session_end: createObserver("session_end", around),
    message_received: createObserver("message_received", around),
    message_sending: createWaterfall(
      "message_sending",
      around,
      (message, given) => {
        const answer = parseSendingAnswer(given);
        return "text" in answer ? { ...message, text: answer.text } : { ...message, cancelled: answer.cancel };
      },
      (tap) => ({ cancel: `the required tap ${tap} failed` }),
    ),
    before_turn: createWaterfall("before_turn", around, (turn, added) => ({
      ...turn,
      context: [...(turn.context ?? []), ...parseTurnAdditions(added).context],
    })),
    after_turn: createObserver("after_turn", around),
    before_tool_call: createBail("before_tool_call", around, (_error, tap) => ({ refused: `the check ${tap} failed` })),
    after_tool_call: createWaterfall("after_tool_call", around, (event, result) => ({
      ...event,
      result: parseToolResult(result),
    })),
    before_compaction: createWaterfall("before_compaction", around, (event, answer) => ({ ...event, ...answer })),
    after_compaction: createObserver("after_compaction", around),
    subagent_spawning: createBail("subagent_spawning", around, () => ({ status: "error", error: "hook_failed" })),
    subagent_spawned: createObserver("subagent_spawned", around),
    subagent_ended: createObserver("subagent_ended", around),
    subagent_delivery_target: createBail<DeliveryTarget, Address>("subagent_delivery_target", around, () => undefined),
    announce: createBail("announce", around),
  };
}

/** One owner's view: its taps carry its name and go with `dispose`. */
export function createHookView(hooks: LifecycleHooks, owner: string): { hooks: LifecycleHooks; dispose: () => void } {
  const disposers: (() => void)[] = [];
  const named = (given: string) => `${owner}:${given}`;
  const view = <Payload, Answer>(point: TapPoint<Payload, Answer>): TapPoint<Payload, Answer> => ({
    tap: (given, tap) =>
      keep(point.tap(typeof given === "string" ? named(given) : { ...given, name: named(given.name) }, tap)),
    tapPromise: (given, tap) =>
      keep(point.tapPromise(typeof given === "string" ? named(given) : { ...given, name: named(given.name) }, tap)),
  });
  const keep = (dispose: () => void) => {
    disposers.push(dispose);
    return dispose;
  };
  return {
    hooks: {
      gateway_start: view(hooks.gateway_start),
      gateway_stop: view(hooks.gateway_stop),
      session_start: view(hooks.session_start),
      session_end: view(hooks.session_end),
      message_received: view(hooks.message_received),
      message_sending: view(hooks.message_sending),
      before_turn: view(hooks.before_turn),
      after_turn: view(hooks.after_turn),
      before_tool_call: view(hooks.before_tool_call),
      after_tool_call: view(hooks.after_tool_call),
      before_compaction: view(hooks.before_compaction),
      after_compaction: view(hooks.after_compaction),
      subagent_spawning: view(hooks.subagent_spawning),
      subagent_spawned: view(hooks.subagent_spawned),
      subagent_ended: view(hooks.subagent_ended),
      subagent_delivery_target: view(hooks.subagent_delivery_target),
      announce: view(hooks.announce),
    },
    dispose: () => {
      for (const dispose of disposers.splice(0)) dispose();
    },
  };
}

/** The answers that taps may give. Parsed here, because a plugin may be written without types; anything else throws. */
const sendingAnswer: z.ZodType<SendingAnswer> = z.union([
  z.object({ text: z.string() }),
  z.object({ cancel: z.string() }),
]);
const turnAdditions: z.ZodType<TurnAdditions> = z.object({
  context: z.array(z.object({ label: z.string(), text: z.string() })),
});
const toolResult: z.ZodType<ToolResult> = z.object({ text: z.string(), isError: z.boolean().default(false) });

function parseSendingAnswer(answer: unknown): SendingAnswer {
  return sendingAnswer.parse(answer);
}

function parseTurnAdditions(answer: unknown): TurnAdditions {
  return turnAdditions.parse(answer);
}

function parseToolResult(answer: unknown): ToolResult {
  return toolResult.parse(answer);
}
