import type { ChannelPlugin } from "@banyan/plugin-sdk";
import { createSecretScrubber, type SecretScrubber } from "../../ports/secret-scrubber.ts";
import type { AccountConfig } from "../config.ts";
import { type ConfigPath, findAtPath } from "../problems/config-path.ts";
import { buildProblemsError, type ConfigProblem, formatReceivedType } from "../problems/config-problem.ts";
import { buildUnknownKeyProblem, listSchemaKeys } from "../problems/known-key.ts";
import { listScalars } from "../sources/secret-path.ts";
import { ACCOUNT_KEYS } from "./account-schema.ts";
import type { ChannelManifest } from "./channel-manifest.ts";
import { listDroppedPaths, listForeignKeys, readPluginSchema } from "./plugin-key.ts";

export interface AccountPlace {
  readonly channel: string;
  readonly account: string;
  /** Names, in the cure of a missing key, the variable that gives it. */
  readonly manifest?: ChannelManifest | undefined;
}

type Settings = AccountConfig["settings"];

/** What a Standard Schema says is wrong; the core needs no more of it. */
interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Judges an account's own settings by its plugin's schema and gives what the plugin's `connect` gets. Unknown keys are
 * found also where the schema drops them silently. Throws one `config_invalid` that tells every problem and no value.
 */
export async function parseAccountConfig<Own>(
  plugin: Pick<ChannelPlugin<Own>, "config">,
  account: AccountConfig,
  place: AccountPlace,
): Promise<Own> {
  const { settings } = account;
  const standard = plugin.config["~standard"];
  const result = await standard.validate(settings);
  const dropped = result.issues === undefined ? listDroppedPaths(settings, result.value) : [];
  if (result.issues === undefined && dropped.length === 0) return result.value;

  const schema = readPluginSchema(plugin.config);
  const foreign = result.issues === undefined ? [] : listForeignKeys(settings, schema);
  // A key that a schema renames is dropped and known.
  const unknown = dropped.filter((path) => !listSchemaKeys(schema, path.slice(0, -1)).includes(String(path.at(-1))));
  if (result.issues === undefined && unknown.length === 0) return result.value;

  // Judged again without them, so that a strict schema does not name them a second time.
  const rest = Object.fromEntries(Object.entries(settings).filter(([key]) => !foreign.includes(key)));
  const issues = result.issues === undefined ? [] : ((await standard.validate(rest)).issues ?? []);
  throw buildAccountError(settings, [...foreign.map((key) => [key]), ...unknown], issues, schema, place);
}

function buildAccountError(
  settings: Settings,
  unknown: readonly ConfigPath[],
  issues: readonly SchemaIssue[],
  schema: unknown,
  place: AccountPlace,
): Error {
  const base = ["channels", place.channel, "accounts", place.account];
  // A message of a schema may repeat what it received.
  const scrubber = createSecretScrubber([...listScalars(settings)].map(([, text]) => text));
  const problems = [
    ...unknown.map((path) => {
      const known = listSchemaKeys(schema, path.slice(0, -1));
      const names = path.length === 1 ? [...known, ...ACCOUNT_KEYS] : known;
      return buildUnknownKeyProblem([...base, ...path], names);
    }),
    ...issues.map((issue) => buildIssueProblem(issue, settings, base, place, scrubber)),
  ];
  return buildProblemsError(problems, { title: `the account ${place.channel}/${place.account}` });
}

function buildIssueProblem(
  issue: SchemaIssue,
  settings: Settings,
  base: ConfigPath,
  place: AccountPlace,
  scrubber: SecretScrubber,
): ConfigProblem {
  const steps = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const path = steps.map((step) => (typeof step === "number" ? step : String(step)));
  const value = findAtPath(settings, path);
  const isMissing = value === undefined && path.length > 0;
  const wrong = isMissing ? "missing" : scrubber.scrub(issue.message);
  const variable = path.length === 1 ? findVariableName(String(path[0]), place.manifest) : undefined;
  const cure = variable === undefined ? "write what the plugin asks for" : `write it, or set ${variable}`;
  const received = isMissing ? {} : { received: formatReceivedType(value) };
  return { path: [...base, ...path], wrong, ...received, cure };
}

function findVariableName(key: string, manifest: ChannelManifest | undefined): string | undefined {
  return Object.entries(manifest?.env ?? {}).find(([, variable]) => variable.key === key)?.[0];
}
