/** The steps that change who is who, who may talk and where a conversation goes on. */
import type { LinkWrite, NewAudit, NewDelivery, NewLinkCode, SessionMove, SessionWrite } from "./new-rows.ts";
import type { WriterRow } from "./rows.ts";

/**
 * Who has written in these sessions, as it was judged: a step that carries it is refused as a `conflict` where these
 * sessions now have other writers, so that nobody's first message slips in between the look and the step.
 */
export interface ExpectedWriters {
  readonly sessionKeys: readonly string[];
  /** All of them, in any order. */
  readonly writers: readonly WriterRow[];
}

/** What a command does to the links. */
export interface LinkEffect {
  /** As in `ReceiveStep`; another present one refuses the step as `stale_route`. */
  readonly routeRevision: number;
  /** Takes the place of the account's earlier code. A `conflict` where the same code of another account holds. */
  readonly offer?: NewLinkCode;
  /** Used up by this; refused as a `conflict` where no such code stands any more. */
  readonly redeem?: string;
  /** An account whose open code, if any, holds no more. */
  readonly voidOffer?: { readonly channel: string; readonly peer: string };
  readonly expectWriters?: ExpectedWriters;
  readonly writes: readonly LinkWrite[];
  /** A code that did not fit is counted for whoever sent it, for so long. */
  readonly failure?: { readonly channel: string; readonly peer: string; readonly windowMs: number };
  readonly audit?: NewAudit;
}

/**
 * The operator's word about a stranger: `pending | denied → approved`, `pending | approved → denied`; `already` where
 * it is. Refused as `not_found` where none stands or a pending one has expired, as `stale_route` on another revision.
 */
export interface SettlePairingStep {
  readonly step: "settle_pairing";
  readonly channel: string;
  readonly account: string;
  readonly senderId: string;
  readonly to: "approved" | "denied";
  /** The revision of the `RouteSnapshot` it was decided on, if any. */
  readonly routeRevision?: number;
  /** What the sender is told. */
  readonly deliveries: readonly NewDelivery[];
  readonly audit: NewAudit;
}

/** The operator's links. Another present revision refuses the step as `stale_route`; `already` where all stands so. */
export interface SetLinksStep {
  readonly step: "set_links";
  readonly routeRevision: number;
  readonly writes: readonly LinkWrite[];
  readonly expectWriters?: ExpectedWriters;
  readonly audit: NewAudit;
}

/**
 * Moves one session to another key of the same agent. Its earlier transcripts and its deliveries that are not `sent` go
 * with it; its ended items stay where they ended, so that a late repeat finds them. Refused as `not_found`, as
 * `conflict` (another revision) and as `wrong_state` where a session stands under the new key, and as `stale_route` on
 * another route revision. `already` where that one has the step's `sessionId`.
 */
export interface RekeyStep {
  readonly step: "rekey";
  readonly move: SessionMove;
  readonly sessionId: string;
  /** The revision of the `RouteSnapshot` it was decided on, if any. */
  readonly routeRevision?: number;
  readonly expectWriters?: ExpectedWriters;
  /** Records of children, which name the session by its key; each at its revision, else the step is a `conflict`. */
  readonly children?: readonly SessionWrite[];
  readonly audit: NewAudit;
}

/**
 * A chat has a new id: its sessions, its items that are not ended and its deliveries that are not settled go on under
 * it, and the move is on record. `undeliverable` and `unknown` ones go too, since they may be retried. A session whose
 * new key is taken stays where it is; what waits in it goes on in the other, which is archived no more and is told of the
 * runs whose completions are among it. A binding whose new address is taken goes. Refused as a `conflict` when a session has another revision; `already` when the move is on
 * record and nothing is left.
 */
export interface MigrateChatStep {
  readonly step: "migrate_chat";
  readonly move: { readonly channel: string; readonly fromChat: string; readonly toChat: string };
  /** A chat's address by account; threads below it move along. */
  readonly addresses: readonly { readonly from: string; readonly to: string }[];
  readonly sessions: readonly SessionMove[];
  /** Records of children, which name those sessions by their keys; as in `RekeyStep`, where a session moves at all. */
  readonly children?: readonly SessionWrite[];
  readonly audit: NewAudit;
}

/** Where an address goes on: itself, unless a chat's move names it or the chat whose thread it is. */
export function moveAddress(address: string, moves: MigrateChatStep["addresses"]): string {
  const move = moves.find(({ from }) => address === from || address.startsWith(`${from}/`));
  return move === undefined ? address : `${move.to}${address.slice(move.from.length)}`;
}
