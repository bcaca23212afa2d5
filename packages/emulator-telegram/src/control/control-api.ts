import { ZodError, z } from "zod";
import { EmulatorError } from "../ports/error.ts";
import type { Exchange } from "../server/exchange.ts";
import type { Control } from "./control.ts";
import { buildOperations } from "./request.ts";
import type { Operation } from "./room-request.ts";

/** Where the control interface begins in the server's paths. */
export const CONTROL_PATH = "/control";

/** The control over HTTP: POST /control/<operation> with JSON, `{ ok: true, result }` or `{ ok: false, error }`. */
export class ControlApi {
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor(control: Control) {
    this.#operations = buildOperations(control);
  }

  async answer(exchange: Exchange, path: string): Promise<void> {
    const body = await exchange.readBody();
    const name = path.slice(CONTROL_PATH.length + 1);
    const operation = this.#operations.get(name);
    if (operation === undefined || body === undefined) {
      const known = [...this.#operations.keys()].join(", ");
      return sendError(exchange, 404, new EmulatorError("invalid_request", `control "${name}": known are ${known}`));
    }
    try {
      const result = await operation(body.length === 0 ? {} : JSON.parse(body.toString()));
      if (!exchange.isGone) exchange.sendJson(200, { ok: true, result: result ?? null });
    } catch (cause) {
      const error = nameError(cause, name);
      if (error === undefined) throw cause;
      sendError(exchange, 400, error);
    }
  }
}

/** Undefined for what is neither the caller's mistake nor a known failure: a bug. */
function nameError(cause: unknown, name: string): EmulatorError | undefined {
  if (cause instanceof EmulatorError) return cause;
  if (cause instanceof ZodError) {
    return new EmulatorError("invalid_request", `control "${name}": ${z.prettifyError(cause)}`);
  }
  if (cause instanceof SyntaxError) return new EmulatorError("invalid_request", `control "${name}": ${cause.message}`);
  return undefined;
}

function sendError(exchange: Exchange, status: number, { code, message }: EmulatorError): void {
  exchange.sendJson(status, { ok: false, error: { code, message } });
}
