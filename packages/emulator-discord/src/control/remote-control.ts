import { z } from "zod";
import { EMULATOR_ERROR_CODES, EmulatorError, isEmulatorErrorCode } from "../ports/error.ts";
import type { Control } from "./operation.ts";

/** The control of an emulator in another process, over HTTP; `controlUrl` as the emulator names it. */
export function createRemoteControl(controlUrl: string): Control {
  return { call: ({ name, answer }, request) => post(`${controlUrl}/${name}`, request, answer) };
}

const errorBody = z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) });

async function post<T>(url: string, request: unknown, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(request) });
    body = await response.json();
  } catch (cause) {
    throw new EmulatorError("unreachable", `calling ${url}: no answer; is the emulator's process alive?`, { cause });
  }
  const failed = errorBody.safeParse(body);
  if (failed.success) {
    const { code, message: text } = failed.data.error;
    if (isEmulatorErrorCode(code)) throw new EmulatorError(code, text);
    const known = Object.keys(EMULATOR_ERROR_CODES).join(", ");
    throw new EmulatorError("unreachable", `calling ${url}: an error of none of the codes ${known}: ${text}`);
  }
  return z.object({ ok: z.literal(true), result: schema }).parse(body).result;
}
