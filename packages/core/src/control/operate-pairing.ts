import { isAddress } from "@banyan/plugin-sdk";
import type { NewDelivery, PairingRow, RouteSnapshot, Store } from "@banyan/plugin-sdk/store";
import { parseOneTimeCode } from "../access/one-time-code.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
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
  /** Throws where the configuration forbids what would stand then. */
  readonly checkRoutes?: ((routes: RouteSnapshot) => void) | undefined;
}

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
  const row = await findPairing(store, target);
  const { channel, account, senderId, displayName } = row;
  if (to === "approved" && row.state !== "approved") checkApproval(row, await store.read.routes(), parts);
  const deliveries = to === "approved" ? composeWelcome(row, parts) : [];
  const audit = { actor, action: `pair_${to}`, detail: formatSender(row) };
  const settled = await commitStep(store, {
    step: "settle_pairing",
    channel,
    account,
    senderId,
    to,
    deliveries,
    audit,
  });
  if (settled.status === "refused") throw notFound(target);
  // After a repeat it may be our own commit: then the welcome stands in the store under the id it was given here.
  const [first] = deliveries;
  const isWritten = first !== undefined && (await store.read.delivery(first.id)) !== undefined;
  if (isWritten) outbox.enqueue(deliveries);
  await parts.refreshRoutes();
  return { channel, account, senderId, ...(displayName === undefined ? {} : { displayName }), state: to };
}

function checkApproval(row: PairingRow, routes: RouteSnapshot, { checkRoutes }: PairingParts): void {
  try {
    checkRoutes?.({ ...routes, approved: [...routes.approved, row] });
  } catch (error) {
    if (!(error instanceof BanyanError)) throw error;
    throw new BanyanError(error.code, `${formatSender(row)} was to be let in: ${error.message}`, { cause: error });
  }
}

function composeWelcome({ address }: PairingRow, { ports, getChannel }: PairingParts): readonly NewDelivery[] {
  if (!isAddress(address)) return [];
  const { text: limit, policy } = getChannel(address);
  const deliveryId = ports.createId();
  return composeDeliveries({ deliveryId, kind: "notice", address, text: WELCOME, limit, policy });
}

async function findPairing(store: Store, target: string): Promise<PairingRow> {
  const rows = await store.read.pairings({ limit: MOST_PAIRINGS });
  const named = rows.find((row) => formatSender(row) === target.trim());
  const code = parseOneTimeCode(target);
  const found = named ?? (code === undefined ? undefined : rows.find((row) => row.code === code));
  if (found === undefined) throw notFound(target);
  return found;
}

function formatSender({ channel, account, senderId }: Pick<PairingRow, "channel" | "account" | "senderId">): string {
  return `${channel}/${account}/${senderId}`;
}

function notFound(target: string): Error {
  return new Error(
    `A stranger was looked up: nobody has the code or id ${JSON.stringify(target)}, or the code has expired; banyan pair list shows who waits`,
  );
}
