import { type DeliveryRow, moveAddress } from "@banyan/plugin-sdk/store";
import type { Post } from "../world/observation.ts";
import type { Grounds, Invariant } from "./invariant.ts";
import { listWritten } from "./written.ts";

const MARK = "(may be repeated)\n";
const FINAL: ReadonlySet<string> = new Set(["sent", "sent_maybe_repeated", "undeliverable", "unknown"]);

/** I8: no row vanishes; each comes to an end, and is given up only where the platform refused it. */
export function createOutboxKept(): Invariant {
  const written = new Set<string>();
  const refused = new Set<string>();
  const judge = (row: DeliveryRow, grounds: Grounds) => {
    if (row.state !== "undeliverable" || refused.has(row.id)) return undefined;
    const earlier = grounds.data.deliveries.get(`${row.deliveryId}.${row.part - 1}`)?.row;
    return earlier?.state === "undeliverable"
      ? undefined
      : `${row.id} was given up, though the platform never refused it`;
  };
  return {
    name: "I8",
    observe(seen, grounds) {
      const { deliveries } = grounds.data;
      if (seen.type === "refused") refused.add(seen.row);
      if (seen.type === "step") {
        for (const { id, undeliverable } of listWritten(seen.step, seen.result)) {
          written.add(id);
          // Nobody is left to tell, and that is what it says.
          if (undeliverable !== undefined) refused.add(id);
          if (!deliveries.has(id)) return `${id} was written and does not stand in the outbox`;
        }
        if (seen.step.step !== "settle" || !written.has(seen.step.id)) return undefined;
        const row = deliveries.get(seen.step.id)?.row;
        return row === undefined ? `${seen.step.id} has vanished` : judge(row, grounds);
      }
      if (seen.type !== "quiet") return undefined;
      for (const id of written) {
        const row = deliveries.get(id)?.row;
        if (row === undefined) return `${id} has vanished`;
        if (!FINAL.has(row.state)) return `${id} is ${row.state} when all is quiet`;
      }
      return undefined;
    },
  };
}

/** I9: what stands in the chats is what the rows say. */
export function createDeliveryCount(): Invariant {
  const posts = new Map<string, Post[]>();
  return {
    name: "I9",
    observe(seen, { data }) {
      if (seen.type === "posted") {
        const { row: id, text } = seen.post;
        const earlier = posts.get(id) ?? [];
        posts.set(id, [...earlier, seen.post]);
        if (earlier.length === 0 || text.startsWith(MARK)) return undefined;
        return `${id} stands in the chat ${earlier.length + 1} times, and the last one bears no mark: ${text.slice(0, 60)}`;
      }
      if (seen.type !== "quiet") return undefined;
      for (const { row } of data.deliveries.values()) {
        const wrong = judgeCount(row, posts.get(row.id)?.length ?? 0);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  };
}

function judgeCount(row: DeliveryRow, count: number): string | undefined {
  const isRight = {
    sent: count === 1,
    sent_maybe_repeated: count >= 1,
    // One that may be repeated stands there as often as it was marked.
    unknown: row.maybeRepeated || count <= 1,
    undeliverable: count === 0,
    pending: false,
    sending: false,
    stuck: false,
  }[row.state];
  return isRight ? undefined : `${row.id} is ${row.state} and stands in the chat ${count} times`;
}

/** I10: every message stands where its row says, and the row says what it was born with: where it was written to. */
export function createRightChat(): Invariant {
  const born = new Map<string, string>();
  /** By the code that was given there. */
  const offered = new Map<string, string>();
  const moves: Move[] = [];
  return {
    name: "I10",
    observe(seen, { data }) {
      if (seen.type === "step") {
        const { step, result } = seen;
        for (const { id, address } of listWritten(step, result)) {
          const asked = findAddress(seen.step, data);
          // Whoever gave the code away is told who took it.
          const redeemed = step.step === "command" ? offered.get(step.link?.redeem ?? "") : undefined;
          // A turn that began before its chat moved answers there; the platform's refusal takes the answer along.
          const isLate = asked !== undefined && listPlaces(address, moves).has(asked);
          if (asked !== undefined && asked !== address && !isLate && redeemed !== address)
            return `${id} answers a message of ${asked}, and is for ${address}`;
          born.set(id, address);
        }
        if (step.step === "command" && step.link?.offer !== undefined)
          offered.set(step.link.offer.code, step.link.offer.address);
        if (step.step !== "migrate_chat" || result.status !== "done") return undefined;
        moves.push(...step.addresses);
        for (const [id, address] of born) born.set(id, follow(id, address, step.addresses, data));
        return undefined;
      }
      if (seen.type !== "posted") return undefined;
      const { row, address, text } = seen.post;
      const stored = data.deliveries.get(row)?.row;
      if (stored === undefined) return `a message stands in a chat that no row asked for: ${row}`;
      if (address !== stored.address) return `${row} is for ${stored.address} and stands in ${address}`;
      if (address !== born.get(row)) return `${row} was written for ${born.get(row)} and stands in ${address}`;
      const body: { readonly text: string } = JSON.parse(stored.body);
      return text.endsWith(body.text) ? undefined : `${row} says something else than was decided: ${text.slice(0, 60)}`;
    },
  };
}

type Move = Parameters<typeof moveAddress>[1][number];

/** Wherever an address has led so far. */
function listPlaces(address: string, moves: readonly Move[]): ReadonlySet<string> {
  const places = new Set([address]);
  for (const place of places) for (const move of moves) places.add(moveAddress(place, [move]));
  return places;
}

/** A row that is not sent goes where its chat went, and only there. */
function follow(
  id: string,
  address: string,
  moves: Parameters<typeof moveAddress>[1],
  { deliveries }: Grounds["data"],
): string {
  const { state } = deliveries.get(id)?.row ?? { state: "sent" };
  return state === "sent" || state === "sent_maybe_repeated" ? address : moveAddress(address, moves);
}

type StepOf = Parameters<typeof listWritten>[0];

/** Where the message came from that a step answers. */
function findAddress(step: StepOf, data: Grounds["data"]): string | undefined {
  if (step.step === "commit_turn") return data.items.get(step.items[0] ?? 0)?.row.address;
  return step.step === "command" ? data.items.get(step.seq)?.row.address : undefined;
}

/** I11: the parts of a message appear in their order. */
export function createPartOrder(): Invariant {
  const posted = new Set<string>();
  return {
    name: "I11",
    observe(seen, { data }) {
      if (seen.type !== "posted") return undefined;
      const { row: id } = seen.post;
      posted.add(id);
      const row = data.deliveries.get(id)?.row;
      if (row === undefined || row.part === 0) return undefined;
      const earlier = `${row.deliveryId}.${row.part - 1}`;
      const isUnknown = data.deliveries.get(earlier)?.row.state === "unknown";
      return posted.has(earlier) || isUnknown ? undefined : `${id} stands in the chat before ${earlier}`;
    },
  };
}
