import {
  createTransport,
  describeGroups,
  type GatewayChannel,
  type GatewayStatus,
  listHostCommands,
  needsAllMessages,
  type Ports,
} from "@banyan/core";
import type { AccountInspection } from "@banyan/plugin-sdk";
import { buildErrorFinding, type Finding, splitCure } from "./finding.ts";

/** A platform that does not answer within this is a finding of its own. */
const INSPECT_TIMEOUT_MS = 20_000;
/** Beyond this, times of messages and expiries are wrong in a way that people notice. */
const CLOCK_TOLERANCE_MS = 60_000;

type Account = GatewayChannel["accounts"][number];

/** Asks each platform about each account, and the running gateway how it fares with it. */
export async function checkAccounts(
  channels: readonly GatewayChannel[],
  gateway: GatewayStatus | undefined,
  ports: Pick<Ports, "clock" | "log">,
): Promise<readonly Finding[]> {
  const transport = createTransport();
  try {
    const found = await Promise.all(
      channels.flatMap((channel) =>
        channel.accounts.map((account) => checkAccount(channel, account, gateway, { ...ports, ...transport })),
      ),
    );
    return found.flat();
  } finally {
    transport.close();
  }
}

async function checkAccount(
  { plugin }: GatewayChannel,
  { name, config, access }: Account,
  gateway: GatewayStatus | undefined,
  { clock, log, fetch }: Pick<Ports, "clock" | "log"> & ReturnType<typeof createTransport>,
): Promise<readonly Finding[]> {
  const subject = `${plugin.id}/${name}`;
  const running = checkRunning(subject, gateway);
  if (plugin.inspect === undefined) {
    return running.length > 0 ? running : [{ subject, level: "ok", text: "nothing to ask the platform" }];
  }
  const controller = new AbortController();
  const forgetLimit = clock.schedule(INSPECT_TIMEOUT_MS, () => controller.abort());
  try {
    const inspection = await plugin.inspect({
      config,
      account: name,
      fetch,
      clock,
      log,
      signal: controller.signal,
      // Listening would end the poll of a gateway that runs; it knows of another one by itself.
      mayListen: gateway === undefined,
      needsAllMessages: needsAllMessages(access),
      groups: describeGroups(access),
      commands: listHostCommands(),
    });
    return [...describeInspection(subject, inspection), ...running];
  } catch (error) {
    if (!controller.signal.aborted) return [buildErrorFinding(subject, error), ...running];
    const text = `no answer from the platform within ${INSPECT_TIMEOUT_MS / 1000} s`;
    return [{ subject, level: "error", text, cure: "check the network, and try again" }, ...running];
  } finally {
    forgetLimit();
  }
}

/** How the gateway fares, where it has something to say. */
function checkRunning(subject: string, gateway: GatewayStatus | undefined): readonly Finding[] {
  const account = gateway?.accounts[subject];
  if (gateway === undefined) return [];
  if (account === undefined) {
    const text = "the running gateway does not have this account";
    return [{ subject, level: "warning", text, cure: "restart it so that it reads the configuration anew" }];
  }
  const { state, detail } = account;
  if (state === "running" && detail === undefined) return [];
  const told = `the gateway says ${state}: ${detail ?? "no reason; banyan logs may know more"}`;
  return [{ subject, ...splitCure(told, state === "failed" ? "error" : "warning") }];
}

function describeInspection(subject: string, inspection: AccountInspection): readonly Finding[] {
  const { identity, findings, clockAheadMs } = inspection;
  const notes = findings.filter(({ level }) => level === "note").map(({ text }) => text);
  const troubles = findings.flatMap(({ level, text, cure }) =>
    level === "note" ? [] : [{ subject, level, text, ...(cure === undefined ? {} : { cure }) }],
  );
  return [
    { subject, level: "ok", text: [identity, ...notes].join(", ") },
    ...troubles,
    ...(clockAheadMs === undefined ? [] : [checkClock(subject, clockAheadMs)]),
  ];
}

function checkClock(account: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) {
    return { subject: "clock", level: "ok", text: `within a minute of the platform's (${account})` };
  }
  const text = `this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the platform's (${account})`;
  return { subject: "clock", level: "warning", text, cure: "set it by NTP" };
}
