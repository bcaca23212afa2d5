import type { DeliveryBody, DeliveryRow } from "@banyan/store";
import type { Edit, Post } from "../world/observation.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Grounds, Invariant } from "./invariant.ts";

/** A message of the bot's that can be edited. */
interface Standing {
  readonly address: string;
  /** The row whose text it is, of those that are sent by an edit. */
  holds: string | undefined;
  text: string;
  /** Deleted, or out of reach. */
  isGone: boolean;
}

type Board = Map<string, Standing>;

/** An agent's own words, as the simulated ones speak. */
const OWN_WORDS = /\bre #m\d/;
/** As a status says of a run that goes on. */
const AT_WORK = /\bat work\b/;

/**
 * Anchors: what is sent by editing stands in its chat once at every moment, where its row says; nothing else is written over
 * it, and what holds its place tells nothing of it.
 */
export function createAnchors(): Invariant {
  const board: Board = new Map();
  return {
    name: "anchors",
    observe(seen, grounds) {
      switch (seen.type) {
        case "posted":
          return judgePost(seen.post, board, grounds);
        case "edited":
          return judgeEdit(seen.edit, board);
        case "removed":
        case "uneditable": {
          const message = board.get(seen.platformId);
          if (message !== undefined) message.isGone = true;
          return undefined;
        }
        case "step":
          return seen.step.step === "settle" && seen.result.status === "done"
            ? judgeRow(grounds.data.deliveries.get(seen.step.id)?.row, board)
            : undefined;
        case "quiet":
          return judgeAll(grounds.data, board);
        default:
          return undefined;
      }
    },
  };
}

function judgePost(post: Post, board: Board, { data }: Grounds): string | undefined {
  const { row: id, platformId, placeOf, text, address } = post;
  const row = data.deliveries.get(placeOf ?? id)?.row;
  if (platformId === undefined) return undefined;
  board.set(platformId, { address, text, holds: undefined, isGone: false });
  if (row?.policy !== "anchor") return undefined;
  if (placeOf === undefined) return `${id} is sent as a message of its own: ${text.slice(0, 60)}`;
  return OWN_WORDS.test(text) ? `what holds the place of ${id} tells of it: ${text.slice(0, 60)}` : undefined;
}

function judgeEdit({ platformId, address, row, text }: Edit, board: Board): string | undefined {
  const message = board.get(platformId);
  if (message === undefined) return `${platformId} is edited, and was never sent`;
  const { holds } = message;
  message.text = text;
  if (holds !== undefined && holds !== row)
    return `${holds} stands in the chat no more: ${row ?? text} was written over it`;
  if (row === undefined) return undefined;
  message.holds = row;
  const copies = [...board.values()].filter((one) => one.holds === row && one.address === address && !one.isGone);
  return copies.length > 1 ? `${row} stands in the chat ${copies.length} times` : undefined;
}

/** What a row says of itself. */
function judgeRow(row: DeliveryRow | undefined, board: Board): string | undefined {
  if (row?.policy !== "anchor" || row.state === "unknown") return undefined;
  const isHeld = [...board.values()].some(({ holds }) => holds === row.id);
  if (row.state === "undeliverable") return isHeld ? `${row.id} is undeliverable and stands in its chat` : undefined;
  if (row.state !== "sent" && row.state !== "sent_maybe_repeated") return undefined;
  const { text }: DeliveryBody = JSON.parse(row.body);
  const message = board.get(row.platformId ?? "");
  return message?.holds === row.id && message.text === text
    ? undefined
    : `${row.id} is ${row.state}, and its message says: ${message?.text.slice(0, 60)}`;
}

function judgeAll(data: StoreMirror, board: Board): string | undefined {
  for (const { row } of data.deliveries.values()) {
    const wrong = judgeRow(row, board);
    if (wrong !== undefined) return wrong;
  }
  for (const { row } of data.runs.records.values()) {
    const { anchor = "" }: { readonly anchor?: string } = JSON.parse(row.body);
    const message = board.get(data.deliveries.get(anchor)?.row.platformId ?? "");
    if (message === undefined || message.isGone || row.state !== "ended") continue;
    if (AT_WORK.test(message.text)) return `${row.runId} has ended, and ${anchor} says: ${message.text.slice(0, 100)}`;
  }
  return undefined;
}
