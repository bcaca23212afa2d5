import { parseConfig } from "@banyan/core";
import { z } from "zod";
import { configJsonSchema } from "../../packages/core/src/config/shapes/config-json-schema.ts";
import { buildProviders } from "../../packages/core/src/config/shapes/provider-config.ts";
import { resolveQueueRules } from "../../packages/core/src/config/shapes/queue-config.ts";
import { DEFAULT_TOOL_LIMITS } from "../../packages/core/src/tools/limits.ts";
import { USUAL_WINDOW_TOKENS } from "../../packages/runtime-ai/src/models/model-shelf.ts";
import { discordConfig } from "../../plugins/discord/src/discord-config.ts";
import { telegramConfig } from "../../plugins/telegram/src/telegram-config.ts";
import { formatTable } from "./generated-part.ts";
import { formatType, formatValue, type JsonSchema, parseJsonSchema } from "./json-schema.ts";

interface ConfigKey {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** One table: the keys of an object that have no table of their own. */
interface Section {
  readonly path: string;
  readonly meanings: readonly string[];
  readonly keys: readonly ConfigKey[];
}

/** By path. */
type Defaults = Readonly<Record<string, unknown>>;

/** How the page writes a key that people choose. */
const CHOSEN_KEYS: Readonly<Record<string, string>> = {
  agents: "<id>",
  channels: "<id>",
  "channels.<id>.accounts": "<name>",
  providers: "<name>",
  prices: "<model>",
};
/** Keys with one row, although their values have keys. */
const TYPES: Readonly<Record<string, string>> = {
  "queue.byChannel": "the keys of `queue`, by channel id",
  "channels.<id>.accounts.<name>.threads": "the keys of `threads`",
  "session.identityLinks": "lists of strings, by name",
  "agents.<id>.tools.boundaries.paths.permissions": '`"read"` · `"write"` · `"ask"` · `"deny"`, by pattern',
  "agents.<id>.tools.boundaries.commands.permissions": '`"allow"` · `"ask"` · `"deny"`, by pattern',
  "plugins[].config": "object",
};
/** An object with fewer keys has rows in the table of its parent. */
const FEWEST_KEYS = 3;
/** Of headings. */
const DEEPEST_LEVEL = 4;
const DEFAULT_SENTENCE = / Default: ((?:[^.`]|`[^`]*`)+)\.$/;
const HEAD: readonly string[] = ["key", "type", "default", "meaning"];

/** The tables of all keys, a section for each object of the configuration. */
export function buildConfigKeys(): string {
  const schema = parseJsonSchema(configJsonSchema());
  const defaults = listDefaults();
  return listSections({ path: "", schema, isRequired: false })
    .map((section) => formatSection(section, defaults))
    .join("\n\n");
}

/** The tables of the keys that the built-in channels add to an account. */
export function buildChannelKeys(): string {
  const channels = [
    { title: "Telegram", config: telegramConfig },
    { title: "Discord", config: discordConfig },
  ];
  return channels
    .map(({ title, config }) => {
      const schema = parseJsonSchema(z.toJSONSchema(config, { io: "input", unrepresentable: "any" }));
      return `### ${title}\n\n${formatKeys(listChildren({ path: "", schema, isRequired: false }), "", {})}`;
    })
    .join("\n\n");
}

/** An object's own table first, then those of the objects in it. */
function listSections({ path, schema }: ConfigKey, above: readonly string[] = []): readonly Section[] {
  const meanings = [...above, ...(schema.description === undefined ? [] : [schema.description])];
  const object = findObject({ path, schema, isRequired: false });
  const children = object === undefined ? [] : listChildren(object);
  const isOwnTable = (key: ConfigKey) => {
    const found = findObject(key);
    return found !== undefined && (found.path.endsWith("[]") || listRows(key).length >= FEWEST_KEYS);
  };
  const keys = children.filter((key) => !isOwnTable(key)).flatMap(listRows);
  const own = keys.length === 0 ? [] : [{ path: object?.path ?? path, meanings, keys }];
  const handedOn = keys.length === 0 ? meanings : [];
  return [...own, ...children.filter(isOwnTable).flatMap((key) => listSections(key, handedOn))];
}

/** The object that a key's value is, that it lists, or that it has by keys that people choose. */
function findObject({ path, schema, isRequired }: ConfigKey): ConfigKey | undefined {
  if (path in TYPES) return undefined;
  if (schema.properties !== undefined) return { path, schema, isRequired };
  const listed = schema.items?.anyOf?.find(({ properties }) => properties !== undefined) ?? schema.items;
  if (listed?.properties !== undefined) return { path: `${path}[]`, schema: listed, isRequired };
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== "object") return undefined;
  const name = CHOSEN_KEYS[path];
  if (name === undefined) throw new Error(`Writing the configuration's keys: ${path} has chosen keys without a name`);
  return { path: `${path}.${name}`, schema: additionalProperties, isRequired };
}

function listChildren({ path, schema: { properties = {}, required = [] } }: ConfigKey): readonly ConfigKey[] {
  return Object.entries(properties).map(([key, schema]) => ({
    path: path === "" ? key : `${path}.${key}`,
    schema,
    isRequired: required.includes(key),
  }));
}

function listRows(key: ConfigKey): readonly ConfigKey[] {
  const object = findObject(key);
  return object === undefined ? [key] : listChildren(object).flatMap(listRows);
}

function formatSection({ path, meanings, keys }: Section, defaults: Defaults): string {
  const title = path === "" ? "## Top level" : `${"#".repeat(getLevel(path))} \`${path}\``;
  return [title, ...(meanings.length === 0 ? [] : [meanings.join(" ")]), formatKeys(keys, path, defaults)].join("\n\n");
}

function getLevel(path: string): number {
  const chosen = path.replaceAll(/\.<[a-z]+>/g, "").split(".").length;
  return Math.min(path.startsWith("channels.") ? chosen : chosen + 1, DEEPEST_LEVEL);
}

function formatKeys(keys: readonly ConfigKey[], above: string, defaults: Defaults): string {
  return formatTable(
    HEAD,
    keys.map((key) => {
      const { description } = key.schema;
      if (description === undefined)
        throw new Error(`Writing the configuration's keys: ${key.path} has no description`);
      const shown = above === "" ? key.path : key.path.slice(above.length + 1);
      const type = TYPES[key.path] ?? formatType(key.schema);
      return [
        `\`${shown}\``,
        type,
        formatDefault(key, description, defaults),
        description.replace(DEFAULT_SENTENCE, ""),
      ];
    }),
  );
}

/** What the description says, else the schema, else what a configuration without the key comes to. */
function formatDefault({ path, schema, isRequired }: ConfigKey, description: string, defaults: Defaults): string {
  if (isRequired) return "required";
  const said = DEFAULT_SENTENCE.exec(description)?.[1];
  if (said !== undefined) return said;
  const value = schema.default ?? defaults[path];
  return value === undefined ? "none" : formatValue(value);
}

/** What the keys of a configuration that sets nothing come to, by path. */
function listDefaults(): Defaults {
  const config = parseConfig(
    { agents: { main: {} }, channels: { ferry: { accounts: { default: {} } } } },
    { folder: "/" },
  );
  const { timeoutMs, outputLimitBytes, readLimitBytes, writeLimitBytes } = DEFAULT_TOOL_LIMITS;
  return {
    ...listValues("agents.<id>", config.agents.main),
    ...listValues("channels.<id>.accounts.<name>", config.channels.ferry?.accounts.default),
    ...listValues("queue", resolveQueueRules(undefined, undefined)),
    ...listValues("agents.<id>.tools.boundaries", { outputLimitBytes, readLimitBytes, writeLimitBytes }),
    "agents.<id>.budgets.toolTimeoutSeconds": timeoutMs / 1_000,
    "providers.<name>.contextWindow": USUAL_WINDOW_TOKENS,
    "providers.<name>.kind": buildProviders({ grove: {} }, []).providers.grove?.kind,
  };
}

function listValues(path: string, value: unknown): Defaults {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { [path]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, item]) => listValues(`${path}.${key}`, item)));
}
