import type { ShiftedClock } from "@banyan/emulator-kit";
import { z } from "zod";
import type { FaultList } from "../faults/fault-list.ts";
import { EmulatorError } from "../ports/error.ts";
import type { CallJournal } from "../records/call-record.ts";
import type { World } from "../world/world.ts";

/** What an emulator is made of, for what is done to it from outside. */
export interface EmulatorParts {
  readonly world: World;
  readonly journal: CallJournal;
  readonly faults: FaultList;
  readonly clock: ShiftedClock;
}

/** One thing a test can ask of an emulator, described once for this process and for another. */
export interface Operation<Request, Answer> {
  /** Its path below `/control/`. */
  readonly name: string;
  readonly request: z.ZodType<Request>;
  readonly answer: z.ZodType<Answer>;
  /** Throws EmulatorError for a mistake of the test. */
  readonly run: (parts: EmulatorParts, request: Request) => Answer | Promise<Answer>;
}

/** How a test reaches an emulator, wherever it runs. */
export interface Control {
  call<Request, Answer>(operation: Operation<Request, Answer>, request: NoInfer<Request>): Promise<Answer>;
}

/** An operation as it stands behind HTTP: its request unread, its answer unnamed. */
export interface ExposedOperation {
  readonly name: string;
  readonly run: (parts: EmulatorParts, request: unknown) => Promise<unknown>;
}

export function exposeOperation<Request, Answer>(operation: Operation<Request, Answer>): ExposedOperation {
  return { name: operation.name, run: (parts, request) => runOperation(parts, operation, request) };
}

/** The control of an emulator in this process: a test's mistakes are found as over HTTP. */
export function createLocalControl(parts: EmulatorParts): Control {
  return { call: (operation, request) => runOperation(parts, operation, request) };
}

async function runOperation<Request, Answer>(
  parts: EmulatorParts,
  { name, request: schema, run }: Operation<Request, Answer>,
  request: unknown,
): Promise<Answer> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return run(parts, parsed.data);
  throw new EmulatorError("invalid_request", `control "${name}": ${z.prettifyError(parsed.error)}`);
}
