import { z } from "zod";
import { configSchema } from "./config-schema.ts";

/** The JSON Schema (draft 2020-12) of `banyan.config.json`, for editors: `"$schema"` may name a file that holds it. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    ...z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" }),
    title: "Banyan configuration",
  };
}
