/** What was called, what goes wrong, and time. */
import { z } from "zod";
import { type Fault, faultSchema } from "../faults/fault.ts";
import type { CallCount, CallFilter, CallRecord } from "../records/call-record.ts";
import { nothing, timeoutSchema } from "./answer.ts";
import type { Operation } from "./operation.ts";

const record: z.ZodType<CallRecord> = z.object({
  seq: z.int(),
  botId: z.string().exactOptional(),
  route: z.string(),
  path: z.string(),
  query: z.string(),
  body: z.unknown().exactOptional(),
  files: z.array(z.string()),
  atMs: z.number(),
  isAccepted: z.boolean(),
  fault: z.string().exactOptional(),
  answer: z.object({ status: z.int(), body: z.unknown() }).exactOptional(),
  answeredAtMs: z.number().exactOptional(),
  isDropped: z.boolean(),
});
const number = z.int();

export const readRecord: Operation<CallFilter, readonly CallRecord[]> = {
  name: "readRecord",
  request: z.strictObject({
    route: z.string().exactOptional(),
    botId: z.string().exactOptional(),
    isAccepted: z.boolean().exactOptional(),
  }),
  answer: z.array(record),
  run: ({ journal }, filter) => journal.list(filter),
};

export const readCounts: Operation<Record<string, never>, Readonly<Record<string, CallCount>>> = {
  name: "readCounts",
  request: z.strictObject({}),
  answer: z.record(z.string(), z.object({ accepted: number, refused: number, faulted: number, dropped: number })),
  run: ({ journal }) => journal.counts(),
};

export interface CallWait {
  readonly route: string;
  readonly count: number;
  readonly timeoutMs: number;
}

/** The number of accepted calls, when it has reached `count` or after `timeoutMs`. */
export const awaitCalls: Operation<CallWait, number> = {
  name: "awaitCalls",
  request: z.strictObject({ route: z.string(), count: number.min(0), timeoutMs: timeoutSchema }),
  answer: number,
  run: ({ journal }, { route, count, timeoutMs }) => journal.awaitCalls(route, count, timeoutMs),
};

export const addFault: Operation<Fault, number> = {
  name: "addFault",
  request: faultSchema,
  answer: number,
  run: ({ faults }, fault) => faults.add(fault),
};

export const removeFault: Operation<{ readonly id: number; readonly end: "pass" | "cut" }, void> = {
  name: "removeFault",
  request: z.strictObject({ id: number, end: z.enum(["pass", "cut"]) }),
  answer: nothing,
  run: ({ faults }, { id, end }) => faults.remove(id, end),
};

export const clearFaults: Operation<Record<string, never>, void> = {
  name: "clearFaults",
  request: z.strictObject({}),
  answer: nothing,
  run: ({ faults }) => faults.clear(),
};

export interface FaultWait {
  readonly id: number;
  readonly count: number;
  readonly timeoutMs: number;
}

export const awaitFault: Operation<FaultWait, number> = {
  name: "awaitFault",
  request: z.strictObject({ id: number, count: number.min(0), timeoutMs: timeoutSchema }),
  answer: number,
  run: ({ faults }, { id, count, timeoutMs }) => faults.awaitMet(id, count, timeoutMs),
};

export const passTime: Operation<{ readonly ms: number }, void> = {
  name: "passTime",
  request: z.strictObject({ ms: z.number().min(0) }),
  answer: nothing,
  run: ({ clock }, { ms }) => clock.passTime(ms),
};
