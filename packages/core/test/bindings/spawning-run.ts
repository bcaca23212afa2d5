import { type Address, formatAddress, type SpawningRun } from "@banyan/plugin-sdk";
import { buildRequester } from "../../src/bindings/requester.ts";

export const GROVE: Address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });

export function threadOf(thread: string, account = "default"): Address {
  return formatAddress({ channel: "irc", account, kind: "group", chat: "grove", thread });
}

/** A spawn that asks for a thread, with everything a test does not care about filled in. */
export function buildSpawning(more: Partial<SpawningRun> = {}): SpawningRun {
  return {
    runId: "r1",
    childSessionKey: "agent:main:subagent:r1",
    agentId: "main",
    task: "count the trees\nand the birds",
    mode: "session",
    threadRequested: true,
    bindingId: "b1",
    requester: buildRequester(GROVE),
    requesterSessionKey: "agent:main:irc:group:grove",
    ...more,
  };
}
