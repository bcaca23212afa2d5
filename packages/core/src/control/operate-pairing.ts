import { isAddress } from "@banyan/plugin-sdk";
import type { NewDelivery, PairingRow, RouteSnapshot, Store } from "@banyan/store";
import type { RouteCheck } from "../inbound/links.ts";
import { composeNotice } from "../inbound/notice.ts";
import { parseOneTimeCode } from "../inbound/pairing.ts";
import type { Outbox } from "../outbound/outbox.ts";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { TurnParts } from "../turns/turn-parts.ts";

/** An operator's word about strangers. `target` is a code, however it is typed, or `channel/account/id`. */
export interface PairingOperations {
  /** Lets the stranger who was given the code in, and tells him. */
  approve(target: string, actor: string): Promise<SettledPairing>;
  /** Keeps him silent from now on; who was in is out again. He is told nothing. */
  deny(target: string, actor: string): Promise<SettledPairing>;
}

export interface SettledPairing {
  readonly channel: string;
  readonly account: string;
  readonly senderId: string;
  /** For the operator's eyes; nothing is decided by it. */
  readonly displayName?: string | undefined;
  readonly state: "approved" | "denied";
}

export interface PairingParts {
  readonly store: Store;
  readonly ports: Pick<Ports, "createId">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly getChannel: TurnParts["getChannel"];
  /** Called when somebody is in or out, before the operation resolves. */
  refreshRoutes(): Promise<unknown>;
  /** Asked before somebody is let in. */
  readonly checkRoutes?: RouteCheck | undefined;
  /** The setting that lets this sender in whatever the operator says of him here, if one does. */
  findAllowance?(sender: Pick<PairingRow, "channel" | "account" | "senderId">): string | undefined;
}

const MOST_STALE = 5;
const WELCOME = "You are in; write to me.";
/** More people than one operator has let in by hand. */
const MOST_PAIRINGS = 100_000;

export function createPairingOperations(parts: PairingParts): PairingOperations {
  // One after the other: two who are let in at once would else each be judged without the other.
  let last: Promise<unknown> = Promise.resolve();
  const settle = (target: string, actor: string, to: SettledPairing["state"]) => {
    const settled = last.then(() => settlePairing(target, actor, to, parts));
    last = settled.catch(() => undefined);
    return settled;
  };
  return {
    approve: (target, actor) => settle(target, actor, "approved"),
    deny: (target, actor) => settle(target, actor, "denied"),
  };
}

async function settlePairing(
  target: string,
  actor: string,
  to: SettledPairing["state"],
  parts: PairingParts,
): Promise<SettledPairing> {
  const { store, outbox } = parts;
  for (let tries = 1; tries <= MOST_STALE; tries += 1) {
    const routes = await store.read.routes();
    const row = await findPairing(target, to, parts);
    const { channel, account, senderId, displayName } = row;
    if (to === "approved" && row.state !== "approved") await checkApproval(row, routes, parts);
    const deliveries = to === "approved" ? composeWelcome(row, parts) : [];
    const audit = { actor, action: `pair_${to}`, detail: formatSender(row) };
    const sender = { channel, account, senderId };
    const routeRevision = routes.revision;
    const settled = await commitStep(store, {
      step: "settle_pairing",
      ...sender,
      to,
      routeRevision,
      deliveries,
      audit,
    });
    if (settled.status === "refused" && settled.reason === "stale_route") continue;
    if (settled.status === "refused") throw notFound(target);
    // After a repeat it may be our own commit: then the welcome stands in the store under the id it was given here.
    const [first] = deliveries;
    const isWritten = first !== undefined && (await store.read.delivery(first.id)) !== undefined;
    if (isWritten) outbox.enqueue(deliveries);
    await parts.refreshRoutes();
    return { ...sender, ...(displayName === undefined ? {} : { displayName }), state: to };
  }
  throw new BanyanError(
    "store_conflict",
    `Settling ${JSON.stringify(target)}: who is let in changed ${MOST_STALE} times at the same time; try again`,
  );
}

async function checkApproval(row: PairingRow, routes: RouteSnapshot, { checkRoutes }: PairingParts): Promise<void> {
  try {
    await checkRoutes?.({ ...routes, approved: [...routes.approved, row] });
  } catch (error) {
    if (!(error instanceof BanyanError)) throw error;
    throw new BanyanError(error.code, `${formatSender(row)} was to be let in: ${error.message}`, { cause: error });
  }
}

function composeWelcome({ address }: PairingRow, parts: PairingParts): readonly NewDelivery[] {
  return isAddress(address) ? composeNotice({ address, text: WELCOME }, parts) : [];
}

/** Throws where nobody is found, and where the operator's word would change nothing. */
async function findPairing(
  target: string,
  to: SettledPairing["state"],
  { store, findAllowance }: PairingParts,
): Promise<PairingRow> {
  const rows = await store.read.pairings({ limit: MOST_PAIRINGS });
  const named = rows.find((row) => formatSender(row) === target.trim());
  const code = parseOneTimeCode(target);
  const found = named ?? (code === undefined ? undefined : rows.find((row) => row.code === code));
  const allowance = to === "denied" ? findAllowance?.(found ?? parseSender(target)) : undefined;
  if (allowance !== undefined)
    throw new Error(
      `A sender was to be kept out: ${found === undefined ? target.trim() : formatSender(found)} is let in by ${allowance}; take the id out there`,
    );
  if (found === undefined) throw notFound(target);
  return found;
}

function formatSender({ channel, account, senderId }: Pick<PairingRow, "channel" | "account" | "senderId">): string {
  return `${channel}/${account}/${senderId}`;
}

/** Ids may hold slashes; channels and accounts hold none. */
function parseSender(target: string): Pick<PairingRow, "channel" | "account" | "senderId"> {
  const [channel = "", account = "", ...rest] = target.trim().split("/");
  return { channel, account, senderId: rest.join("/") };
}

function notFound(target: string): Error {
  return new Error(
    `No pending request for ${JSON.stringify(target)}; the code may have expired. banyan pair list shows who waits`,
  );
}
