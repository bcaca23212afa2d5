import { ChannelError, type EditsAbility, isAddress, type ShownRun } from "@banyan/plugin-sdk";
import type { DeliveryRow, Store } from "@banyan/store";
import { commitStep } from "../../ports/commit-step.ts";
import { inTime, LATE } from "../../ports/in-time.ts";
import type { Ports } from "../../ports/ports.ts";
import { readRateLimit } from "../decide-settle.ts";

/** Nobody waits for it, and what waits for its chat meanwhile is somebody's answer. */
const EDIT_TIMEOUT_MS = 10_000;

/** What a message that stands in a chat is to say from now on. */
export interface Amendment {
  /** In Markdown, within the channel's limit. */
  readonly text: string;
  readonly run?: ShownRun;
}

/**
 * `done`. `busy`: not now, or it is to become another message. `claimed`: it has become one. `gone`: it can be edited no more.
 * `refused`: it is there, and the platform does not take the edit. `unclear`: nobody knows whether the edit comes, and when.
 */
export type AmendEnd =
  | { readonly kind: "done" | "busy" | "claimed" | "gone" | "refused" | "unclear" }
  /** The platform asks to wait: the chat, or all of the account. */
  | { readonly kind: "limited"; readonly retryAfterMs: number; readonly isAccountWide: boolean };

export interface AmendParts {
  readonly store: Store;
  readonly ports: Ports;
}

/**
 * Edits the message of a row that was sent, unless another row has it. The chat must be kept from every delivery
 * meanwhile: what is claimed after the look is edited after this. Never rejects.
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

/** Once a message: where the process dies over an edit, the next one must know that there may be one. Never rejects. */
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

/** Who claimed a message may have become another one: because this one was not there yet, or was not to be had. */
function decidePlace(platformId: string, claimant: DeliveryRow | undefined): "free" | "claimed" | "busy" {
  switch (claimant?.state) {
    case undefined:
    case "undeliverable":
      return "free";
    case "sent":
    case "sent_maybe_repeated":
      return claimant?.platformId === platformId ? "claimed" : "free";
    case "unknown":
      // What may have been edited into this message was noted before: else it is not here, wherever it is.
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
      // What was to take its place is in the chat as a message of its own: nothing is lost.
      return { kind: claimant !== undefined && isSent(claimant) ? "gone" : "refused" };
  }
}

function isSent({ state }: DeliveryRow): boolean {
  return state === "sent" || state === "sent_maybe_repeated";
}
