import { expect, it } from "vitest";
import { listSchemaKeys } from "../../../src/config/problems/known-key.ts";
import { configJsonSchema } from "../../../src/config/shapes/config-json-schema.ts";

it.each([
  [[], "channels"],
  [["server"], "port"],
  [["agents", "ops", "tools"], "deny"],
  [["routes", 0, "match", "peer"], "kind"],
  [["channels", "ferry", "accounts", "work"], "allowFrom"],
  [["plugins", 0], "package"],
  [["limits"], "maxTreeRuns"],
  [["threads"], "nameFrom"],
  [["agents", "ops", "subagents"], "allowAgents"],
  [["tools", "agentToAgent"], "allow"],
])("knows at %j the key %s", (path, key) => {
  expect(listSchemaKeys(configJsonSchema(), path)).toContain(key);
});

it("is plain JSON that lets no unknown section pass", () => {
  const schema = configJsonSchema();
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});
