import { type LoadedConfig, type ReadConfigOptions, readConfig } from "../../src/config/read-config.ts";
import type { ChannelManifest } from "../../src/config/shapes/channel-manifest.ts";
import { BanyanError } from "../../src/ports/errors.ts";

/** A channel as its plugin's package.json describes it. */
export const FERRY: ChannelManifest = {
  package: "banyan-channel-ferry",
  channel: "ferry",
  env: {
    FERRY_TOKEN: { key: "token", switchesOn: true, secret: true, list: false },
    FERRY_URL: { key: "url", switchesOn: false, secret: false, list: false },
    FERRY_ALLOW_FROM: { key: "allowFrom", switchesOn: false, secret: false, list: true },
  },
  senderId: /^\d{1,20}$/,
  chatId: /^-?\d{1,20}$/,
  guildId: /^\d{1,20}$/,
};

/** Reads what somebody wrote into `/srv/bot/banyan.config.json`. */
export function readWritten(input: unknown, options: Partial<ReadConfigOptions> = {}): LoadedConfig {
  return readConfig(input, {
    folder: "/srv/bot",
    file: "/srv/bot/banyan.config.json",
    manifests: [FERRY],
    ...options,
  });
}

/** The problems that reading ends with, one per line; empty when it does not. */
export function problemsOf(input: unknown, options: Partial<ReadConfigOptions> = {}): readonly string[] {
  return linesOf(() => readWritten(input, options));
}

/** The lines of problems in the message of what is thrown; anything but a `config_invalid` is one line for itself. */
function linesOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    return splitProblems(error);
  }
}

export function splitProblems(error: unknown): readonly string[] {
  if (!(error instanceof BanyanError) || error.code !== "config_invalid") return [String(error)];
  return error.message
    .split("\n- ")
    .slice(1)
    .map((line) => line.trim());
}

/** `path: what is wrong, received X; what to do` */
export const PROBLEM_FORM: RegExp = /^[^:]+: [A-Z].+(?:; .+|\.)$/;
