import { type ActiveFault, type Clock, FaultList, type Signal } from "@banyan/emulator-kit";
import type { ChatRequest } from "../messages/chat-request.ts";
import { EmulatorError } from "../ports/error.ts";

/** Which requests a fault meets; what is left out is any. */
interface FaultAim {
  readonly model?: string;
  /** How many requests it meets; 1 if left out. A "hold" meets all until it is released. */
  readonly times?: number | "always";
  /** How many matching requests pass before it begins. */
  readonly skip?: number;
}

/** What goes wrong with a request to the model. */
type FaultEffect =
  /** An answer with an error, as the API words it. */
  | { readonly kind: "refuse"; readonly status: number; readonly retryAfterS?: number; readonly message?: string }
  /** The connection is destroyed before any answer. */
  | { readonly kind: "drop" }
  /** The connection is destroyed behind so many chunks of the stream. */
  | { readonly kind: "break"; readonly afterChunks: number }
  /** The stream ends behind so many chunks as if it were whole. */
  | { readonly kind: "end"; readonly afterChunks: number }
  /** A chunk that is no JSON stands behind so many good ones, and the stream ends. */
  | { readonly kind: "garble"; readonly afterChunks: number }
  /** The stream carries an error in place of the chunk, and ends. */
  | { readonly kind: "fail"; readonly afterChunks: number; readonly message: string }
  /** The answer begins after a time of the emulator's clock. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** A gate before the answer, or behind so many chunks of it. */
  | { readonly kind: "hold"; readonly at: "request" | "answer"; readonly afterChunks?: number };

export type ChatFault = FaultAim & FaultEffect;
export type ActiveChatFault = ActiveFault<ChatFault>;

export class ChatFaultList extends FaultList<ChatFault, ChatRequest> {
  constructor(changed: Signal, clock: Clock) {
    super({
      changed,
      clock,
      matches: ({ model }, request) => model === undefined || model === request.model,
      unknownFault: (id) => new EmulatorError("unknown_fault", `finding fault ${id}: it was never added`),
    });
  }
}
