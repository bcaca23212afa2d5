import type { Announcement, DeliveryReceipt, HookContext, LifecycleHooks } from "@banyan/plugin-sdk";

export type AnnounceTap = (announcement: Announcement, context: HookContext) => Promise<DeliveryReceipt | undefined>;

/** Hooks of which the channel uses `announce` alone. */
export function buildHooks(tapAnnounce: (tap: AnnounceTap) => void): LifecycleHooks {
  const noHook = { name: "none", tap: unexpected, tapPromise: unexpected };
  return {
    gateway_start: noHook,
    gateway_stop: noHook,
    session_start: noHook,
    session_end: noHook,
    message_received: noHook,
    message_sending: noHook,
    before_turn: noHook,
    after_turn: noHook,
    before_tool_call: noHook,
    after_tool_call: noHook,
    before_compaction: noHook,
    after_compaction: noHook,
    subagent_spawning: noHook,
    subagent_spawned: noHook,
    subagent_ended: noHook,
    subagent_delivery_target: noHook,
    announce: {
      tap: unexpected,
      tapPromise: (_options, tap) => {
        tapAnnounce(tap);
        return () => undefined;
      },
    },
  };
}

function unexpected(): never {
  throw new Error("The Telegram plugin tapped a hook that it has no use for");
}
