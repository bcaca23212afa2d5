import type { z } from "zod";
import type { Bot } from "../world/bot.ts";
import type { World } from "../world/world.ts";
import { buildFieldError, buildFormErrors } from "./form-error.ts";
import { refuse, refuseForm } from "./refusal.ts";

export interface UploadedFile {
  /** The part's name, such as `files[0]`. */
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** What a request brings, whoever sent it. */
export interface Request {
  readonly world: World;
  /** Values of the template's names: `channel` of `/channels/:channel`. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body or `payload_json`; undefined without one. */
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

/** A call of a bot by its token. */
export interface Call extends Request {
  readonly bot: Bot;
}

/** What a call is answered with; a body left out is status 204. A refusal is thrown. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BotRoute {
  readonly template: string;
  readonly run: (call: Call) => Answer;
}

/** A route whose path carries its own secret, such as a webhook's token: no `Authorization` is asked for. */
export interface OpenRoute {
  readonly template: string;
  readonly runOpen: (request: Request) => Answer;
}

export type Route = BotRoute | OpenRoute;

export const NOTHING: Answer = { status: 204 };

export function accept(body: unknown, status: number = 200): Answer {
  return { status, body };
}

/** The body as the schema says, or Discord's complaint about the form (D36). */
export function parseBody<T>(request: Request, schema: z.ZodType<T>): T {
  if (request.body === undefined) throw refuse(50109);
  const parsed = schema.safeParse(request.body);
  if (parsed.success) return parsed.data;
  throw refuseForm(buildFormErrors(parsed.error.issues));
}

/** A whole number of the query within its bounds, or `fallback` where it is left out. */
export function readInteger(query: URLSearchParams, name: string, min: number, max: number, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const message = `int value should be between ${min} and ${max}.`;
  throw refuseForm(buildFieldError([name], "NUMBER_TYPE_MAX", message));
}
