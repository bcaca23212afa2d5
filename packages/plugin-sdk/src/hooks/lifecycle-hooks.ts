import type { Address } from "../channel/address.ts";
import type { DeliveryReceipt } from "../channel/outbound-message.ts";
import type { ToolResult } from "../runtime/tool.ts";
import type { GatewayEvent, SessionEvent } from "./gateway-event.ts";
import type { MessageReceived, MessageSending, SendingAnswer } from "./message-hook.ts";
import type {
  Announcement,
  DeliveryTarget,
  EndedRun,
  SpawnedRun,
  SpawningAnswer,
  SpawningRun,
} from "./subagent-hook.ts";
import type { TapPoint } from "./tap-point.ts";
import type { CompactionEvent, ToolCallEvent, ToolRefusal, TurnAdditions, TurnEvent, TurnStart } from "./turn-hook.ts";

/**
 * Every hook there is. In brackets: how the taps of one call are combined, and what a tap that throws does.
 * Parallel: all run, answers are ignored. Bail: the first answer ends the call. Waterfall: each gets the last answer.
 */
export interface LifecycleHooks {
  /** The gateway is open for messages, or about to stop. [parallel; logged] */
  readonly gateway_start: TapPoint<GatewayEvent>;
  readonly gateway_stop: TapPoint<GatewayEvent>;
  /** A session began, or ended by a reset or close. [parallel; logged] */
  readonly session_start: TapPoint<SessionEvent>;
  readonly session_end: TapPoint<SessionEvent>;
  /** A message or command was stored. [parallel; logged] */
  readonly message_received: TapPoint<MessageReceived>;
  /** Once per message, before it is stored for sending; what comes out is final. A completion cannot be cancelled. [waterfall; skipped, or not sent when the tap is required] */
  readonly message_sending: TapPoint<MessageSending, SendingAnswer>;
  /** Before an agent gets its input. [waterfall; skipped] */
  readonly before_turn: TapPoint<TurnStart, TurnAdditions>;
  /** After a turn was committed. [parallel; logged] */
  readonly after_turn: TapPoint<TurnEvent>;
  /** Before a tool runs, by stage. [bail; refuse] */
  readonly before_tool_call: TapPoint<ToolCallEvent, ToolRefusal>;
  /** After a tool ran, before the result is stored. [waterfall; skipped] */
  readonly after_tool_call: TapPoint<ToolCallEvent & { readonly result: ToolResult }, ToolResult>;
  /** Before older entries are summarised: further instructions. [waterfall; skipped] */
  readonly before_compaction: TapPoint<CompactionEvent, { readonly instructions: string }>;
  readonly after_compaction: TapPoint<CompactionEvent>;
  /** A spawn asks for a thread: the plugin that owns the requester's channel answers. [bail; refusal `hook_failed`] */
  readonly subagent_spawning: TapPoint<SpawningRun, SpawningAnswer>;
  /** A run was accepted. [parallel; logged, never fails the run] */
  readonly subagent_spawned: TapPoint<SpawnedRun>;
  readonly subagent_ended: TapPoint<EndedRun>;
  /**
   * Where a completion goes instead of its frozen route. Asked when the run ends, and again only where its outcome, its
   * result or its place has changed before that was written. [bail; the default target]
   */
  readonly subagent_delivery_target: TapPoint<DeliveryTarget, Address>;
  /**
   * One part of a completion message: the tap that owns the target channel delivers it. The host's own tap sends by the
   * account's connection; a plugin's comes before it. [bail; retried or parked by error class]
   */
  readonly announce: TapPoint<Announcement, DeliveryReceipt>;
}
