import { buildChannelKeys, buildConfigKeys } from "./config-keys.ts";
import { buildEnvironmentVariables } from "./environment-variables.ts";
import type { GeneratedPart } from "./generated-part.ts";

/** Every generated part of the pages in `docs/`. */
export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { page: "docs/configuration.md", name: "variables", build: buildEnvironmentVariables },
  { page: "docs/configuration.md", name: "keys", build: buildConfigKeys },
  { page: "docs/configuration.md", name: "channels", build: buildChannelKeys },
];
