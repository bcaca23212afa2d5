import { existsSync, readFileSync } from "node:fs";
import { createDiscordSchema, type DiscordSchema } from "../src/index.ts";

/** Discord's own description of its API, which lies beside the repository where it is developed. */
const SPEC = new URL("../../../../shared/specs/discord/openapi.json", import.meta.url);

const spec: unknown = existsSync(SPEC) ? JSON.parse(readFileSync(SPEC, "utf8")) : undefined;

/** Undefined where the description is not there. */
export function readDiscordSchema(): DiscordSchema | undefined {
  return spec === undefined ? undefined : createDiscordSchema(spec);
}
