import { TOOL_API_VERSION, type ToolPlugin } from "@banyan/plugin-sdk";
import { isPlainObject } from "../config/problems/config-path.ts";
import { readPluginSchema } from "../config/shapes/plugin-key.ts";
import { BanyanError } from "../ports/errors.ts";
import { formatReceivedValue } from "../sessions/keys/received-value.ts";
import { isStandardSchema } from "./standard-schema.ts";

const ID = /^[a-z][a-z0-9-]{0,31}$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** A call that works for a day holds up its conversation for a day; the system's timers know no more than 25 of them. */
const LONGEST_CALL_MS = 24 * 3_600_000;
const AUTHOR = "update the plugin, or tell its author: write export default defineToolPlugin({ … })";

/** Whether a plugin's default export says that it brings tools, and no channel. */
export function saysTools(plugin: unknown): boolean {
  return isPlainObject(plugin) && plugin.kind === "tools";
}

/** Checks a plugin's shape. Throws `plugin_invalid` with the first member that breaks the contract. */
export function parseToolPlugin(plugin: unknown, name: string): ToolPlugin {
  if (isToolPlugin(plugin)) return plugin;
  const { wrong, received } = findFault(plugin) ?? { wrong: "unknown", received: "it" };
  throw invalid(name, `${wrong}, received ${received}; ${AUTHOR}`);
}

/** The plugin's own part of the configuration, judged by its schema. Throws `plugin_invalid`. */
export async function parseToolPluginConfig(
  { config }: ToolPlugin,
  settings: Readonly<Record<string, unknown>>,
  name: string,
): Promise<unknown> {
  if (config === undefined) {
    const [key] = Object.keys(settings);
    if (key === undefined) return {};
    throw invalid(
      name,
      `it takes no configuration, received the key ${JSON.stringify(key.slice(0, 40))}; leave it out`,
    );
  }
  const judged = await config["~standard"].validate(settings);
  if (judged.issues === undefined) return judged.value;
  // A schema's own words may repeat what it received, which may be a secret: only where it is wrong is told.
  const places = judged.issues.map(({ path = [] }) =>
    path.map((step) => String(typeof step === "object" ? step.key : step)).join("."),
  );
  throw invalid(
    name,
    `its config is wrong at ${places.map((place) => place || "the whole").join(", ")}, received something else; write what the plugin asks for`,
  );
}

function isToolPlugin(value: unknown): value is ToolPlugin {
  return findFault(value) === undefined;
}

interface Fault {
  readonly wrong: string;
  readonly received: string;
}

function findFault(plugin: unknown): Fault | undefined {
  if (!isPlainObject(plugin)) return fault("its default export is no plugin", plugin);
  const { id, apiVersion, config, tools, tap } = plugin;
  if (apiVersion !== TOOL_API_VERSION)
    return fault(`it is not made for version ${TOOL_API_VERSION} of the contract of tools`, apiVersion);
  if (typeof id !== "string" || !ID.test(id)) return fault(`its id does not match ${ID}`, id);
  if (config !== undefined && !isStandardSchema(config)) return fault("config is not a Standard Schema", config);
  if (tap !== undefined && typeof tap !== "function") return fault("tap is not a function", tap);
  if (!Array.isArray(tools)) return fault("tools is not a list", tools);
  return tools.map(findToolFault).find((found) => found !== undefined);
}

function findToolFault(tool: unknown): Fault | undefined {
  if (!isPlainObject(tool)) return fault("one of its tools is no object", tool);
  const { name, description, args, parameters, isRepeatable, timeoutMs, run } = tool;
  if (typeof name !== "string" || !TOOL_NAME.test(name))
    return fault(`a tool's name does not match ${TOOL_NAME}`, name);
  const of = `of the tool ${name}`;
  if (typeof description !== "string" || description.trim() === "")
    return fault(`the description ${of} is no text`, description);
  if (!isStandardSchema(args)) return fault(`args ${of} is not a Standard Schema`, args);
  if (!isPlainObject(parameters ?? readPluginSchema(args)))
    return fault(`args ${of} has no JSON Schema, and parameters is missing`, parameters);
  if (typeof isRepeatable !== "boolean") return fault(`isRepeatable ${of} is not true or false`, isRepeatable);
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs <= LONGEST_CALL_MS))
    return fault(`timeoutMs ${of} is no number above 0 and at most ${LONGEST_CALL_MS}`, timeoutMs);
  return typeof run === "function" ? undefined : fault(`run ${of} is not a function`, run);
}

function fault(wrong: string, received: unknown): Fault {
  return { wrong, received: typeof received === "function" ? "a function" : formatReceivedValue(received) };
}

function invalid(name: string, sentence: string): BanyanError {
  return new BanyanError("plugin_invalid", `loading the plugin ${name}: ${sentence}`);
}
