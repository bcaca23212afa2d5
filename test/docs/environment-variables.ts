import { readPluginManifests } from "@banyan/core";
import { BUILT_IN_CHANNELS, OWN_FILE } from "../../packages/cli/src/gateway/built-in.ts";
import { KNOWN_PROVIDERS } from "../../packages/cli/src/gateway/known-providers.ts";
import { OVERRIDES } from "../../packages/core/src/config/sources/environment-override.ts";
import { formatTable } from "./generated-part.ts";

/** The table of variables that set a key without a file. */
export function buildEnvironmentVariables(): string {
  const manifests = readPluginManifests(
    BUILT_IN_CHANNELS.map((channel) => channel.package),
    OWN_FILE,
  );
  return formatTable(
    ["variable", "key", ""],
    [
      ...OVERRIDES.map(([name, path]) => [code(name), code(path.join(".")), "takes precedence over the file"]),
      ...KNOWN_PROVIDERS.flatMap(({ name: provider, variables, usualModel }) =>
        Object.entries(variables).map(([name, key]) => [
          code(name),
          code(`providers.${provider}.${key}`),
          key === "apiKey"
            ? `agents without a model ask \`${provider}/${usualModel}\``
            : "agents without a model ask the first model that this server lists",
        ]),
      ),
      ...manifests.flatMap(({ channel, env }) =>
        Object.entries(env).map(([name, { key, switchesOn, list }]) => [
          code(name),
          code(`channels.${channel}.accounts.default.${key}`),
          switchesOn ? "turns the channel on" : list ? "a list, separated by commas" : "",
        ]),
      ),
    ],
  );
}

function code(text: string): string {
  return `\`${text}\``;
}
