import { randomBytes, randomUUID } from "node:crypto";
import type { Log } from "@banyan/plugin-sdk";
import type { Ports } from "../../src/ports/ports.ts";
import { ManualClock } from "../manual-clock.ts";

export interface LoggedLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly fields: object;
  readonly message: string;
}

/** Ports that a test holds in its hands: its time, its ids, what was logged. */
export interface TestPorts extends Ports {
  readonly clock: ManualClock;
  readonly logged: LoggedLine[];
}

export function createTestPorts(more: Partial<Omit<Ports, "clock" | "log">> = {}): TestPorts {
  const logged: LoggedLine[] = [];
  // Ids are unique for ever, over all processes that a test plays.
  const process = randomUUID().slice(0, 8);
  let ids = 0;
  return {
    clock: new ManualClock(),
    logged,
    log: createRecordedLog(logged),
    createId: () => {
      ids += 1;
      return `${process}-${String(ids).padStart(6, "0")}`;
    },
    createUuid: () => randomUUID(),
    random: () => 0.5,
    randomBytes: (count) => Uint8Array.from(randomBytes(count)),
    scrub: (text) => text,
    holdBack: () => 0,
    faultPoint: () => undefined,
    ...more,
  };
}

function createRecordedLog(logged: LoggedLine[]): Log {
  return {
    debug: (fields, message) => void logged.push({ level: "debug", fields, message }),
    info: (fields, message) => void logged.push({ level: "info", fields, message }),
    warn: (fields, message) => void logged.push({ level: "warn", fields, message }),
    error: (fields, message) => void logged.push({ level: "error", fields, message }),
  };
}
