import {
  buildAccount,
  type ChannelManifest,
  createLog,
  createPorts,
  createSecretScrubber,
  createTransport,
  loadPlugin,
  parseAccountConfig,
} from "@banyan/core";
import type { AccountInspection } from "@banyan/plugin-sdk";
import { OWN_FILE } from "../gateway/built-in.ts";

const INSPECT_TIMEOUT_MS = 20_000;
const ACCOUNT = "default";

/**
 * Asks the platform about a token, with what else the environment says of the account (such as another server).
 * `undefined` where a plugin has nothing to ask. Throws the plugin's own sentence when the token is refused.
 */
export async function inspectToken(
  manifest: ChannelManifest,
  key: string,
  token: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AccountInspection | undefined> {
  const plugin = await loadPlugin(manifest.package, OWN_FILE);
  const given = Object.entries(manifest.env).flatMap(([name, variable]) => {
    const value = env[name];
    return variable.list || value === undefined || value === "" ? [] : [[variable.key, value] as const];
  });
  const account = buildAccount({ ...Object.fromEntries(given), [key]: token });
  const place = { channel: manifest.channel, account: ACCOUNT, manifest };
  const config = await parseAccountConfig(plugin, account, place);
  const scrubber = createSecretScrubber([token]);
  const { clock, log } = createPorts({ log: createLog({ level: "silent", pretty: false, scrubber }) });
  const transport = createTransport();
  const signal = AbortSignal.timeout(INSPECT_TIMEOUT_MS);
  try {
    return await plugin.inspect?.({
      config,
      account: ACCOUNT,
      fetch: transport.fetch,
      clock,
      log,
      signal,
      // Whoever runs the bot now is not disturbed by somebody who sets up.
      mayListen: false,
      // Until somebody writes otherwise into the file, groups need a mention.
      needsAllMessages: false,
      groups: { policy: account.groups.policy, allow: account.groups.allow, guilds: account.groups.guilds },
      // Lists of commands come with the first start.
      commands: [],
    });
  } finally {
    transport.close();
  }
}

/** What stands behind a good token: `@grove_bot, privacy mode on: …`, each further finding on a line of its own. */
export function formatInspection({ identity, findings }: AccountInspection): readonly string[] {
  const [first, ...rest] = findings.map(({ text, cure }) => (cure === undefined ? text : `${text}; ${cure}`));
  return [first === undefined ? identity : `${identity}, ${first}`, ...rest];
}
