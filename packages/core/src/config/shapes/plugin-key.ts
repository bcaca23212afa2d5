import type { ChannelPlugin } from "@banyan/plugin-sdk";
import { type ConfigPath, isPlainObject } from "../problems/config-path.ts";
import { listSchemaKeys } from "../problems/known-key.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Paths that went in and did not come out: a schema that drops unknown keys silently tells no other way. */
export function listDroppedPaths(input: Settings, output: unknown, path: ConfigPath = []): readonly ConfigPath[] {
  if (!isPlainObject(output)) return [];
  return Object.entries(input).flatMap(([key, item]) => {
    const place = [...path, key];
    if (!Object.hasOwn(output, key)) return [place];
    return isPlainObject(item) ? listDroppedPaths(item, output[key], place) : [];
  });
}

/** Top-level keys that a schema's description does not allow; empty where it allows any or has none. */
export function listForeignKeys(settings: Settings, schema: unknown): readonly string[] {
  const known = listSchemaKeys(schema, []);
  const isOpen = !isPlainObject(schema) || isPlainObject(schema.additionalProperties) || known.length === 0;
  return isOpen ? [] : Object.keys(settings).filter((key) => !known.includes(key));
}

/** The JSON Schema of what a plugin takes, if its library can tell it (`~standard.jsonSchema`, as zod 4 has it). */
export function readPluginSchema(config: Pick<ChannelPlugin["config"], "~standard">): unknown {
  const standard: object = config["~standard"];
  if (!("jsonSchema" in standard) || !isPlainObject(standard.jsonSchema)) return undefined;
  const { input } = standard.jsonSchema;
  if (typeof input !== "function") return undefined;
  try {
    return input({ target: "draft-2020-12" });
  } catch {
    // The standard lets a library throw for what JSON Schema cannot say: then only what was dropped tells.
    return undefined;
  }
}
