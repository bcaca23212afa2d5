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
  /** The route's template. */
  readonly route: string;
  readonly botId: string | undefined;
  readonly channelId: string | undefined;
}

/** The injected faults in the order they were added; the first that matches a call meets it, and it alone. */
export class FaultList extends CountedFaults<Fault, FaultTarget> {
  constructor(changed: Signal, clock: Clock) {
    const unknownFault = (id: number): Error =>
      new EmulatorError("unknown_fault", `finding fault ${id}: it was never added`);
    super({ changed, clock, matches, unknownFault });
  }
}

function matches({ route, botId, channelId }: Fault, target: FaultTarget): boolean {
  return (
    (route === undefined || formatRoute(route) === formatRoute(target.route)) &&
    (botId === undefined || botId === target.botId) &&
    (channelId === undefined || channelId === target.channelId)
  );
}

/** A template by which names it has, so that `:channel` and `:id` are the same. */
export function formatRoute(template: string): string {
  return template.replaceAll(/:\w+/g, ":");
}
