import type { LifecycleHooks } from "@banyan/plugin-sdk";

/** How the taps of one call work together. */
export type HookKind = "observer" | "first-answer" | "chain";

/** What the page says of a hook, besides the fields of its payload, which are in the contract. */
export interface HookText {
  readonly kind: HookKind;
  readonly called: string;
  /** Absent: its answer is ignored. */
  readonly answer?: string;
  /** What a tap that throws or is late does. */
  readonly failure: string;
}

const IGNORED = "It is logged.";
const SKIPPED = "It is logged, and the tap counts as not answered.";

/** A new hook without a row is a type error. */
export const HOOK_TEXTS: Readonly<Record<keyof LifecycleHooks, HookText>> = {
  gateway_start: {
    kind: "observer",
    called: "Once, when the gateway is open and every account runs or its first try has failed.",
    failure: IGNORED,
  },
  gateway_stop: { kind: "observer", called: "Once, when an open gateway begins to stop.", failure: IGNORED },
  session_start: {
    kind: "observer",
    called: "After a session began: with a first message (`created`), or after `/new` (`reset`).",
    failure: IGNORED,
  },
  session_end: {
    kind: "observer",
    called: "After a session ended: by `/new` (`reset`), or by `banyan sessions delete` (`closed`).",
    failure: IGNORED,
  },
  message_received: {
    kind: "observer",
    called: "After a message or command of a person was stored.",
    failure: IGNORED,
  },
  message_sending: {
    kind: "chain",
    called: "Once for each message of an agent, before it is stored for sending. Not again for further attempts.",
    answer:
      "`{ text }` replaces the text. `{ cancel: reason }` keeps the message from being sent; a message that reports the result of a sub-agent cannot be cancelled.",
    failure: "It is logged, and the tap is skipped. If the tap has `isRequired: true`, the message is cancelled.",
  },
  before_turn: {
    kind: "chain",
    called: "Before an agent gets its input.",
    answer: "`{ context: [{ label, text }] }` adds labelled data to the input of this turn.",
    failure: SKIPPED,
  },
  after_turn: { kind: "observer", called: "After a turn was stored.", failure: IGNORED },
  before_tool_call: {
    kind: "first-answer",
    called: "Before a tool runs, among Banyan's own checks, by `priority`.",
    answer: "`{ refused: reason }` ends the call. The agent reads the reason.",
    failure: "The call is refused.",
  },
  after_tool_call: {
    kind: "chain",
    called: "After a tool ran, before its result is stored.",
    answer: "`{ text, isError }` replaces the result.",
    failure: SKIPPED,
  },
  before_compaction: {
    kind: "chain",
    called: "Reserved for the compaction of transcripts. Not called yet.",
    answer: "`{ instructions }` adds instructions for the summary.",
    failure: SKIPPED,
  },
  after_compaction: {
    kind: "observer",
    called: "Reserved for the compaction of transcripts. Not called yet.",
    failure: IGNORED,
  },
  subagent_spawning: {
    kind: "first-answer",
    called: "When a spawn asks for a thread, before it is accepted. Not called for a spawn without a thread.",
    answer:
      '`{ status: "ok", threadBindingReady: true, binding: { id: bindingId, address } }`: the thread is open at this address of the same account. `{ status: "error", error }`: the spawn is refused with this sentence. Without an answer, Banyan opens the thread by the account\'s own plugin, or refuses the spawn.',
    failure: "The spawn is refused (`hook_failed`).",
  },
  subagent_spawned: {
    kind: "observer",
    called: "After a spawn was accepted, and after a message gave an existing sub-agent a new task.",
    failure: IGNORED,
  },
  subagent_ended: { kind: "observer", called: "After the end of a run and its result were stored.", failure: IGNORED },
  subagent_delivery_target: {
    kind: "first-answer",
    called: "When a run ends, before its result is stored. Again only if its outcome, result or place has changed.",
    answer: "The address where the chat is notified, instead of `target`.",
    failure: SKIPPED,
  },
  announce: {
    kind: "first-answer",
    called: "For each part of a message that reports a result, and again for each further attempt.",
    answer:
      "`{ platformId }`: the tap has delivered the part itself. Without an answer, the account sends it. Throw a `ChannelError` if the platform refused it.",
    failure:
      "The delivery is tried again or set aside, by the class of the `ChannelError`. Other errors count as `ambiguous`.",
  },
};
