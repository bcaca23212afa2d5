import { type AccountConfig, buildRecord, type ChannelConfig } from "../config.ts";
import type { ConfigPath } from "../problems/config-path.ts";
import type { ConfigProblem } from "../problems/config-problem.ts";
import type { ChannelManifest } from "./channel-manifest.ts";
import { checkName } from "./config-name.ts";
import { ACCOUNT_KEYS, type CheckedInput } from "./config-schema.ts";
import type { AccountInput, DmPolicy } from "./define-config.ts";
import { checkPlatformId } from "./platform-id.ts";

/** Closed to strangers until somebody is named. */
const DEFAULT_DM_POLICY: DmPolicy = "allowlist";

export interface BuiltChannels {
  readonly channels: Readonly<Record<string, ChannelConfig>>;
  readonly problems: readonly ConfigProblem[];
}

/** Builds the channels and checks their names and the ids they let in. The plugins' own keys are kept as written. */
export function buildChannels(input: CheckedInput["channels"], manifests: readonly ChannelManifest[]): BuiltChannels {
  const problems: ConfigProblem[] = [];
  const channels = Object.entries(input).map(([id, channel]) => {
    const manifest = manifests.find((one) => one.channel === id);
    problems.push(...checkName("channel", id, ["channels", id]));
    const accounts = Object.entries(channel.accounts).map(([name, account]) => {
      const path = ["channels", id, "accounts", name];
      problems.push(...checkName("account", name, path), ...checkAllowFrom(account, path, manifest));
      return [name, buildAccount(account)] as const;
    });
    return [id, { accounts: buildRecord(accounts) }] as const;
  });
  return { channels: buildRecord(channels), problems };
}

/** Splits an account into the core's keys and the plugin's own; `{}` is the account of a channel without configuration. */
export function buildAccount(account: AccountInput): AccountConfig {
  const ids = (account.allowFrom ?? []).map((id) => String(id).trim());
  return {
    enabled: account.enabled ?? true,
    dmPolicy: account.dmPolicy ?? DEFAULT_DM_POLICY,
    allowFrom: [...new Set(ids)],
    groups: { policy: account.groups?.policy ?? "disabled" },
    settings: Object.fromEntries(Object.entries(account).filter(([key]) => !ACCOUNT_KEYS.includes(key))),
  };
}

function checkAllowFrom(
  account: AccountInput,
  path: ConfigPath,
  manifest: ChannelManifest | undefined,
): readonly ConfigProblem[] {
  const ids = account.allowFrom ?? [];
  return ids.flatMap((id, at) => checkPlatformId(id, [...path, "allowFrom", at], manifest?.senderId));
}
