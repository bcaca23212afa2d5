import type { DeliveryBody, DeliveryRow, Step } from "@banyan/store";
import type { Observation, Post } from "../world/observation.ts";
import type { Grounds, Invariant } from "./invariant.ts";
import { listWritten } from "./written.ts";

const MARK = "(may be repeated)\n";
const GONE_MARK = "(thread gone)\n";
const FINAL: ReadonlySet<string> = new Set(["sent", "sent_maybe_repeated", "undeliverable", "unknown"]);

/** I8: no row vanishes; each comes to an end, and is given up only where the platform refused it. */
export function createOutboxKept(): Invariant {
  const written = new Set<string>();
  const refused = new Set<string>();
  const judge = (row: DeliveryRow, grounds: Grounds) => {
    if (row.state !== "undeliverable" || refused.has(row.id)) return undefined;
    const earlier = grounds.data.deliveries.get(findEarlier(row) ?? "")?.row;
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

function listRetried(step: Step): readonly string[] {
  if (step.step === "retry_delivery") return [step.id];
  return step.step === "command" ? (step.retry?.ids ?? []) : [];
}

/** I9: what stands in the chats is what the rows say. */
export function createDeliveryCount(): Invariant {
  const posts = new Map<string, Post[]>();
  /** On somebody's word, who was told that it may stand there twice then. */
  const retried = new Set<string>();
  return {
    name: "I9",
    observe(seen, { data }) {
      if (seen.type === "step") for (const id of listRetried(seen.step)) retried.add(id);
      if (seen.type === "posted") {
        const { row: id, text, placeOf } = seen.post;
        // What is edited into it comes later, and is counted as such.
        if (placeOf !== undefined) return undefined;
        const earlier = posts.get(id) ?? [];
        posts.set(id, [...earlier, seen.post]);
        const isOnce = data.deliveries.get(id)?.row.policy === "at-most-once" && !retried.has(id);
        if (earlier.length > 0 && isOnce)
          return `${id} is to be sent once at most, and stands in the chat ${earlier.length + 1} times`;
        if (earlier.length === 0 || text.startsWith(MARK)) return undefined;
        // What stood in a thread that was deleted is gone with it.
        const { address } = seen.post;
        if (text.startsWith(GONE_MARK) && earlier.every((post) => post.address !== address)) {
          posts.set(id, [seen.post]);
          return undefined;
        }
        return `${id} stands in the chat ${earlier.length + 1} times, and the last one bears no mark: ${text.slice(0, 60)}`;
      }
      if (seen.type !== "quiet") return undefined;
      for (const { row } of data.deliveries.values()) {
        if (row.policy === "anchor") continue;
        const wrong = judgeCount(row, posts.get(row.id)?.length ?? 0);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  };
}

function judgeCount(row: DeliveryRow, count: number): string | undefined {
  const isSure = row.policy === "effectively-once";
  const isRight = {
    sent: count === 1,
    // Who knows its messages by a key or by its history never has one twice.
    sent_maybe_repeated: count >= 1 && !isSure,
    // One that may be repeated stands there as often as it was marked.
    unknown: (row.maybeRepeated && !isSure) || count <= 1,
    undeliverable: count === 0,
    pending: false,
    sending: false,
    stuck: false,
  }[row.state];
  return isRight ? undefined : `${row.id} is ${row.state} and stands in the chat ${count} times`;
}

/** I11: the parts of a message appear in their order, and behind them what calls attention to it. */
export function createPartOrder(): Invariant {
  const posted = new Set<string>();
  return {
    name: "I11",
    observe(seen, { data }) {
      const id = findShown(seen);
      if (id === undefined) return undefined;
      posted.add(id);
      const row = data.deliveries.get(id)?.row;
      const earlier = row === undefined ? undefined : findEarlier(row);
      if (earlier === undefined) return undefined;
      const isUnknown = data.deliveries.get(earlier)?.row.state === "unknown";
      return posted.has(earlier) || isUnknown ? undefined : `${id} stands in the chat before ${earlier}`;
    },
  };
}

/** The row whose text is seen in its chat from now on. */
function findShown(seen: Observation): string | undefined {
  if (seen.type === "edited") return seen.edit.row;
  return seen.type === "posted" && seen.post.placeOf === undefined ? seen.post.row : undefined;
}

function findEarlier({ deliveryId, part, body }: DeliveryRow): string | undefined {
  if (part > 0) return `${deliveryId}.${part - 1}`;
  const { behind }: DeliveryBody = JSON.parse(body);
  return behind;
}
