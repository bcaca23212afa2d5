import { type AccountConfig, buildRecord, type ChannelConfig, type ThreadsConfig } from "../config.ts";
import type { ConfigPath } from "../problems/config-path.ts";
import type { ConfigProblem } from "../problems/config-problem.ts";
import { ACCOUNT_KEYS } from "./account-schema.ts";
import type { ChannelManifest } from "./channel-manifest.ts";
import type { CheckedInput } from "./checked-input.ts";
import { checkName } from "./config-name.ts";
import type { AccountInput, DmPolicy, ThreadsInput } from "./define-config.ts";
import { checkPlatformId } from "./platform-id.ts";

/** Closed to strangers until the operator lets them in. */
const DEFAULT_DM_POLICY: DmPolicy = "pairing";
/** Long enough for a night without power; what is older was answered by life, or is said again. */
const DEFAULT_CATCH_UP_HOURS = 24;

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
      problems.push(...checkName("account", name, path), ...checkIds(account, path, manifest));
      return [name, buildAccount(account)] as const;
    });
    return [id, { accounts: buildRecord(accounts) }] as const;
  });
  return { channels: buildRecord(channels), problems };
}

/** Splits an account into the core's keys and the plugin's own; `{}` is the account of a channel without configuration. */
export function buildAccount(account: AccountInput): AccountConfig {
  const { groups = {} } = account;
  return {
    enabled: account.enabled ?? true,
    dmPolicy: account.dmPolicy ?? DEFAULT_DM_POLICY,
    allowFrom: listIds(account.allowFrom),
    groups: {
      policy: groups.policy ?? "allowlist",
      allow: listIds(groups.allow),
      guilds: listIds(groups.guilds),
      requireMention: groups.requireMention ?? true,
    },
    ...(account.threads === undefined ? {} : { threads: pickThreads(account.threads) }),
    catchUpHours: account.catchUpHours ?? DEFAULT_CATCH_UP_HOURS,
    ...(account.delivery === undefined ? {} : { delivery: account.delivery }),
    settings: Object.fromEntries(Object.entries(account).filter(([key]) => !ACCOUNT_KEYS.includes(key))),
  };
}

/** Without what was left out: that is another's to say. */
function pickThreads({ enabled, idleHours, maxAgeHours, fallback, nameFrom }: ThreadsInput): Partial<ThreadsConfig> {
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(idleHours === undefined ? {} : { idleHours }),
    ...(maxAgeHours === undefined ? {} : { maxAgeHours }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(nameFrom === undefined ? {} : { nameFrom }),
  };
}

function listIds(ids: AccountInput["allowFrom"] = []): readonly string[] {
  return [...new Set(ids.map((id) => String(id).trim()))];
}

function checkIds(
  { allowFrom = [], groups: { allow = [], guilds = [] } = {} }: AccountInput,
  path: ConfigPath,
  manifest: ChannelManifest | undefined,
): readonly ConfigProblem[] {
  const open = 'groups.policy: "open"';
  return [
    ...allowFrom.flatMap((id, at) =>
      checkPlatformId(id, [...path, "allowFrom", at], { form: manifest?.senderId, open: 'dmPolicy: "open"' }),
    ),
    ...allow.flatMap((id, at) =>
      checkPlatformId(id, [...path, "groups", "allow", at], { form: manifest?.chatId, open }),
    ),
    ...guilds.flatMap((id, at) =>
      checkPlatformId(id, [...path, "groups", "guilds", at], { form: manifest?.guildId, open }),
    ),
  ];
}
