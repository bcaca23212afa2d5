import type { ZodType } from "zod";
import { type Refusal, refuseRequest } from "../answers/answer.ts";
import { UploadedFile } from "../files/upload.ts";
import type { RequestParameters } from "./request-parameter.ts";

const ATTACHED = "attach://";

/**
 * Reads the parameters of one call. The first fault is kept and the reads go on with harmless values,
 * so that a method reads everything in a row and asks `refusal()` once, before it does anything.
 */
export class ParameterReader {
  readonly #parameters: RequestParameters;
  #known = 0;
  readonly #asked = new Set<string>();
  #fault: Refusal | undefined;

  constructor(parameters: RequestParameters) {
    this.#parameters = parameters;
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.#blame(`parameter "${name}" must be a string`);
    if (!value.isWellFormed()) return this.#blame("strings must be encoded in UTF-8");
    return value;
  }

  /** An upload, or the text in its place: the id of a known file, or an address. */
  file(name: string): UploadedFile | string | undefined {
    const value = this.#take(name);
    // Any file may stand in a part of its own (Bot API, "InputFile").
    if (typeof value === "string") return this.attached(value);
    if (value === undefined || value instanceof UploadedFile) return value;
    return this.#blame(`parameter "${name}" must be a file or a string`);
  }

  /** What a text in a file's place stands for: an upload in a part of its own, or itself. */
  attached(text: string): UploadedFile | string {
    return text.startsWith(ATTACHED) ? (this.file(text.slice(ATTACHED.length)) ?? "") : text;
  }

  integer(name: string): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isSafeInteger(number)) return number;
    return this.#blame(`parameter "${name}" must be an integer`);
  }

  /** A number, or a username with its "@". */
  chatId(name: string): number | string | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    if (typeof value === "string") return /^-?\d{1,16}$/.test(value) ? Number(value) : value;
    return this.#blame(`parameter "${name}" must be an integer or a string`);
  }

  flag(name: string): boolean {
    const value = this.#take(name);
    if (value === undefined || value === false || value === "false" || value === "False" || value === "0") return false;
    if (value === true || value === "true" || value === "True" || value === "1") return true;
    this.#blame(`parameter "${name}" must be a boolean`);
    return false;
  }

  /** A structured value: an object of a JSON body, or JSON in a string. `typeName` is the Bot API's, for the text. */
  json<T>(name: string, schema: ZodType<T>, typeName: string): T | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(typeof value === "string" ? parseJson(value) : value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return this.#blame(`can't parse ${typeName}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "malformed"}`);
  }

  /** Parameters the Bot API has and that change nothing the emulator shows. */
  ignore(...names: string[]): void {
    for (const name of names) this.#take(name);
  }

  /** Parameters the Bot API has and the emulator has not: a loud refusal, not a silent lie. */
  lack(...names: string[]): void {
    for (const name of names) {
      if (this.#take(name) !== undefined) this.#blame(`emulator: parameter "${name}" is not emulated yet`);
    }
  }

  refusal(): Refusal | undefined {
    if (this.#fault === undefined && this.#known < this.#parameters.size) {
      for (const name of this.#parameters.keys()) {
        if (!this.#asked.has(name)) return refuseRequest(`emulator: unknown parameter "${name}"`);
      }
    }
    return this.#fault;
  }

  #take(name: string): unknown {
    const value = this.#parameters.get(name);
    if (value === undefined) return undefined;
    if (!this.#asked.has(name)) {
      this.#asked.add(name);
      this.#known += 1;
    }
    if (value === null) return this.#blame(`emulator: parameter "${name}" is null; leave it out`);
    return value;
  }

  #blame(reason: string): undefined {
    this.#fault ??= refuseRequest(reason);
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the text itself then fails the schema, which names the parameter.
    return text;
  }
}
