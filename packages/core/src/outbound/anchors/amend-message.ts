import { ChannelError, type EditsAbility, isAddress, type ShownRun } from "@banyan/plugin-sdk";
import type { DeliveryRow, Store } from "@banyan/store";
import { commitStep } from "../../ports/commit-step.ts";
import { inTime, LATE } from "../../ports/in-time.ts";
import type { Ports } from "../../ports/ports.ts";
import { readRateLimit } from "../decide-settle.ts";

/** No one waits for the edit, while an answer may wait for its chat. */
const EDIT_TIMEOUT_MS = 10_000;

/** The new content of a message that is in a chat. */
export interface Amendment {
  /** In Markdown, within the channel's limit. */
  readonly text: string;
  readonly run?: ShownRun;
}

/**
 * `busy`: not now, or it will become another message. `claimed`: it has become one. `gone`: it cannot be edited any more.
 * `refused`: it exists, and the platform does not take the edit. `unclear`: not known whether and when the edit arrives.
 */
export type AmendEnd =
  | { readonly kind: "done" | "busy" | "claimed" | "gone" | "refused" | "unclear" }
  /** The platform asks the chat, or the whole account, to wait. */
  | { readonly kind: "limited"; readonly retryAfterMs: number; readonly isAccountWide: boolean };

export interface AmendParts {
  readonly store: Store;
  readonly ports: Ports;
}

/**
 * Edits the message of a row that was sent, unless another row has claimed it. The chat must be reserved until this resolves,
 * so that a row that claims the message after this has looked edits it later. Never rejects.
 */
export async function amendMessage(
  row: DeliveryRow,
  { text, run }: Amendment,
  edits: EditsAbility,
  { store, ports }: AmendParts,
): Promise<AmendEnd> {
  const { address, platformId } = row;
  if (platformId === undefined || !isAddress(address)) return { kind: "gone" };
  let claimant: DeliveryRow | undefined;
  try {
    claimant = await store.read.claimant(row.id);
    const place = decidePlace(platformId, claimant);
    if (place !== "free") return { kind: place };
    if (!(await noteEdit(row, platformId, { store, ports }))) return { kind: "busy" };
    ports.faultPoint("amend.before");
    const edit = edits.edit({ address, platformId, text, ...(run === undefined ? {} : { run }) });
    const end = await inTime(edit, EDIT_TIMEOUT_MS, ports.clock);
    ports.faultPoint("amend.after");
    return { kind: end === LATE ? "unclear" : "done" };
  } catch (error) {
    ports.log.info({ err: error, delivery: row.id }, "a status was not changed");
    return decideFailed(error, claimant);
  }
}

/** Stores once a message that it is edited: if the process dies during an edit, the next one must know of it. Never rejects. */
async function noteEdit(
  { id, attempts: attempt, chat, anchorId }: DeliveryRow,
  platformId: string,
  { store, ports }: AmendParts,
): Promise<boolean> {
  if (anchorId === platformId) return true;
  try {
    const noted = await commitStep(store, { step: "anchor", id, attempt, chat, anchorId: platformId });
    return noted.status !== "fenced";
  } catch (error) {
    ports.log.info({ err: error, delivery: id }, "a status was not changed: that it is could not be stored");
    return false;
  }
}

/** A row that claimed the message may have been sent as another one, because this one did not exist yet or was not available. */
function decidePlace(platformId: string, claimant: DeliveryRow | undefined): "free" | "claimed" | "busy" {
  switch (claimant?.state) {
    case undefined:
    case "undeliverable":
      return "free";
    case "sent":
    case "sent_maybe_repeated":
      return claimant?.platformId === platformId ? "claimed" : "free";
    case "unknown":
      // If it had been edited into this message, that would be stored.
      return claimant?.anchorId === platformId ? "claimed" : "free";
    case "pending":
    case "sending":
    case "stuck":
      return "busy";
  }
}

function decideFailed(error: unknown, claimant: DeliveryRow | undefined): AmendEnd {
  if (!(error instanceof ChannelError)) return { kind: "unclear" };
  switch (error.class) {
    case "rate_limited":
      return {
        kind: "limited",
        retryAfterMs: readRateLimit(error.retryAfterMs),
        isAccountWide: error.isAccountWide,
      };
    case "definite":
    case "unauthorized":
      return { kind: "busy" };
    case "ambiguous":
      return { kind: "unclear" };
    case "message_gone":
      return { kind: "gone" };
    default:
      // The row that claimed it is in the chat as a separate message, so nothing is lost.
      return { kind: claimant !== undefined && isSent(claimant) ? "gone" : "refused" };
  }
}

function isSent({ state }: DeliveryRow): boolean {
  return state === "sent" || state === "sent_maybe_repeated";
}
