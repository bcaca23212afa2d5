import type { ItemWake, RunSpeaker } from "@banyan/store";
import type { AnnounceWay } from "./run-body.ts";

/** The session that gets a completion. */
export interface ToldSession {
  readonly key: string;
  /** Of its present conversation. */
  readonly sessionId: string;
  /** It is a sub-agent itself. */
  readonly isChild: boolean;
  /** A thread is bound to it, or it was asked in a conversation that is turned to it: its turns speak to people. */
  readonly isBound: boolean;
}

/**
 * Who ends a run. `command`: a person, who is answered in the chat that is to be told. `operator`: from outside the chats.
 * `cascade`: its requester's own end.
 */
export type RunEnder = "turn" | "timer" | "tool" | "command" | "operator" | "cascade" | "sweep";

export interface SpeakerFacts {
  readonly told: Omit<ToldSession, "sessionId"> | undefined;
  readonly expectsCompletionMessage: boolean;
  readonly announce: AnnounceWay;
  /** The turn that asked spoke to no chat. */
  readonly isQuiet?: boolean;
  readonly isSilent: boolean;
  /** Others that the same turn has asked for are not told of yet. */
  readonly hasSiblings: boolean;
  readonly by: RunEnder;
  /** The requester's conversation is over: what it had asked for is not brought into the next one. */
  readonly isClosing: boolean;
}

export interface Speaker {
  readonly wake: ItemWake;
  /** Absent: the requester by its next answer, or the host when that does not come. */
  readonly settledBy?: RunSpeaker;
  /** The host tells the chat at once. */
  readonly hostTells: boolean;
}

const SILENT: Speaker = { wake: "append", settledBy: "nobody", hostTells: false };

/** How the requester learns of a run's end, and who tells the chat. Fixed when the run ends. */
export function decideSpeaker(facts: SpeakerFacts): Speaker {
  const { told, expectsCompletionMessage, announce, isQuiet, isSilent, hasSiblings, by, isClosing } = facts;
  // A person asked, wherever: the chat is told, whatever its session is, unless the child asks for silence.
  const isDirect = announce === "direct";
  if (!expectsCompletionMessage || (by === "cascade" && !isDirect)) return SILENT;
  // Nobody is left; that shows in the outbox.
  if (told === undefined) return { wake: "append", settledBy: "host", hostTells: true };
  // What the requester answers goes to no chat, be it that its thread was taken from it since.
  const isUnheard = told.isChild && !told.isBound;
  // Inside: no chat hears of it, whatever becomes of it.
  const isInside = told.isChild && isQuiet === true && !isDirect;
  // A requester that waits for several must learn of the last one, also when that asks for silence or was stopped.
  const wake = isDirect || isClosing ? "append" : "turn";
  if (isInside || (isSilent && (hasSiblings || told.isChild))) return { wake, settledBy: "nobody", hostTells: false };
  if (isSilent) return SILENT;
  if (by === "command") return { wake, settledBy: "host", hostTells: false };
  if (by === "operator" || isDirect || isClosing || isUnheard) return { wake, settledBy: "host", hostTells: true };
  return { wake, hostTells: false };
}
