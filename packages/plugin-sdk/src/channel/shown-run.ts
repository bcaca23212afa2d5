import type { Address } from "./address.ts";

/**
 * The sub-agent that a message tells of, so that a channel with buttons can put those below it that fit: to stop it, to try
 * again what did not arrive, to go to its thread. What a press does is a command in the name of whoever pressed.
 */
export interface ShownRun {
  readonly runId: string;
  /** `working`: it can be stopped. `told`: the message is the last part of what tells of its end. */
  readonly state: "working" | "told";
  /** The platform's id of whoever asked for it, who alone may press; absent: everybody who may talk there. */
  readonly askedBy?: string;
  /** The thread that it lives in, or lived in until it was freed. */
  readonly childThread?: Address;
  /** Of how many messages its result was told in: of several one may be missing. */
  readonly parts?: number;
}
