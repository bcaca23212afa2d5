import type { ChannelConnection, ChannelPlugin } from "@banyan/plugin-sdk";
import { tapSpawnThread } from "./bindings/spawn-thread-tap.ts";
import type { ThreadRules } from "./config/shapes/thread-rules.ts";
import type { GatewayAccount } from "./gateway-options.ts";
import type { CallableHooks } from "./hooks/lifecycle-hooks.ts";
import { tapAnnounce } from "./outbound/announce-tap.ts";
import type { Ports } from "./ports/ports.ts";

export interface HostTapParts {
  readonly plugin: Pick<ChannelPlugin, "id">;
  readonly account: Pick<GatewayAccount, "name">;
  readonly connection: ChannelConnection;
  /** The account's rules of threads. */
  readonly rules: ThreadRules;
  readonly ports: Pick<Ports, "scrub" | "faultPoint" | "clock" | "log">;
  readonly sendTimeoutMs: number;
}

/** What the host does for a connected account that no plugin's own tap does. The disposer belongs to the connection's end. */
export function tapForAccount(
  hooks: Pick<CallableHooks, "announce" | "subagent_spawning">,
  { plugin, account, connection, rules, ports, sendTimeoutMs }: HostTapParts,
): () => void {
  const place = { channel: plugin.id, account: account.name };
  const { threads } = connection;
  const disposers = [
    tapAnnounce(hooks, { ...place, connection }, sendTimeoutMs),
    ...(threads === undefined ? [] : [tapSpawnThread(hooks, { ...place, threads, rules, ports })]),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
