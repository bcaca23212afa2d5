import {
  type Clock,
  type ActiveFault as CountedFault,
  FaultList as CountedFaults,
  type Signal,
} from "@banyan/emulator-kit";
import { EmulatorError } from "../ports/error.ts";
import type { Fault } from "./fault.ts";

export type ActiveFault = CountedFault<Fault>;

export interface FaultTarget {
  readonly method: string;
  readonly botId: number | undefined;
  readonly chatId: unknown;
  readonly text?: unknown;
}

/** The injected faults in the order they were added; the first that matches a call meets it, and it alone. */
export class FaultList extends CountedFaults<Fault, FaultTarget> {
  constructor(changed: Signal, clock: Clock) {
    const unknownFault = (id: number): Error =>
      new EmulatorError("unknown_fault", `finding fault ${id}: it was never added`);
    super({ changed, clock, matches, unknownFault });
  }
}

function matches({ method, botId, chatId, text }: Fault, target: FaultTarget): boolean {
  return (
    (method === undefined || method.toLowerCase() === target.method.toLowerCase()) &&
    (botId === undefined || botId === target.botId) &&
    (chatId === undefined || String(chatId) === String(target.chatId)) &&
    (text === undefined || String(target.text).includes(text))
  );
}
