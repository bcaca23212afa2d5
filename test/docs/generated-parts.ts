import { buildCommandList, buildCommands } from "./commands.ts";
import { buildChannelKeys, buildConfigKeys } from "./config-keys.ts";
import { buildEnvironmentVariables } from "./environment-variables.ts";
import { buildDeliveryErrors, buildErrors, buildStoreErrors } from "./errors.ts";
import type { GeneratedPart } from "./generated-part.ts";
import { buildHooks } from "./hooks.ts";

/** Every generated part of the pages in `docs/`. */
export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { page: "docs/configuration.md", name: "variables", build: buildEnvironmentVariables },
  { page: "docs/configuration.md", name: "keys", build: buildConfigKeys },
  { page: "docs/configuration.md", name: "channels", build: buildChannelKeys },
  { page: "docs/command-line.md", name: "command-list", build: buildCommandList },
  { page: "docs/command-line.md", name: "commands", build: buildCommands },
  { page: "docs/troubleshooting.md", name: "errors", build: buildErrors },
  { page: "docs/troubleshooting.md", name: "store-errors", build: buildStoreErrors },
  { page: "docs/troubleshooting.md", name: "delivery-errors", build: buildDeliveryErrors },
  { page: "docs/hooks.md", name: "hooks", build: buildHooks },
];
