import { existsSync, readFileSync } from "node:fs";
import { type BotApiSchema, createBotApiSchema, type SchemaAllowance } from "../src/index.ts";
import { list, pick } from "./bot-client.ts";

/** The machine-readable Bot API, which lies beside the repository where it is developed. */
const SPEC = new URL("../../../../shared/specs/telegram/bot-api.json", import.meta.url);

/** Fields that are newer than the specification; each says from where it is known. */
const NEWER_FIELDS: readonly SchemaAllowance[] = [];

const spec: unknown = existsSync(SPEC) ? JSON.parse(readFileSync(SPEC, "utf8")) : undefined;

/** Undefined where the specification is not there. */
export function readBotApiSchema(): BotApiSchema | undefined {
  return spec === undefined ? undefined : createBotApiSchema(spec, NEWER_FIELDS);
}

/** The parameters a method has by the specification. */
export function listParameters(method: string): readonly string[] {
  return list(pick(spec, "methods", method, "fields")).map((field) => String(pick(field, "name")));
}
