import type { ItemWake, RunSpeaker } from "@banyan/plugin-sdk/store";
import type { AnnounceWay } from "./run-body.ts";

/** The session that gets a completion. */
export interface ToldSession {
  readonly key: string;
  /** It is a sub-agent itself. */
  readonly isChild: boolean;
  /** A thread is bound to it, so that its turns speak to people. */
  readonly isBound: boolean;
}

/**
 * Who ends a run. `command`: a person, who is answered in the chat that is to be told. `operator`: from outside the chats.
 * `cascade`: its requester's own end.
 */
export type RunEnder = "turn" | "timer" | "tool" | "command" | "operator" | "cascade" | "sweep";

export interface SpeakerFacts {
  readonly told: ToldSession | undefined;
  readonly expectsCompletionMessage: boolean;
  readonly announce: AnnounceWay;
  readonly isSilent: boolean;
  readonly by: RunEnder;
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
  const { told, expectsCompletionMessage, announce, isSilent, by } = facts;
  if (!expectsCompletionMessage || by === "cascade") return SILENT;
  // Nobody is left; that shows in the outbox.
  if (told === undefined) return { wake: "append", settledBy: "host", hostTells: true };
  // Inside: no chat hears of it, whatever becomes of it.
  if (told.isChild && !told.isBound) return { wake: "turn", settledBy: "nobody", hostTells: false };
  if (isSilent) return told.isChild ? { wake: "turn", settledBy: "nobody", hostTells: false } : SILENT;
  if (by === "command") return { wake: "append", settledBy: "host", hostTells: false };
  if (by === "operator") return { wake: "append", settledBy: "host", hostTells: true };
  if (announce === "direct" && !told.isChild) return { wake: "append", settledBy: "host", hostTells: true };
  return { wake: "turn", hostTells: false };
}
