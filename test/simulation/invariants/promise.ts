import { LABEL } from "../agents/errand.ts";
import type { Grounds, Invariant } from "./invariant.ts";
import { listClaims } from "./lane-order.ts";

interface Answer {
  readonly rows: readonly string[];
  readonly text: string;
  /** The item whose turn answered this one, too: its own, or the one that took it along. */
  readonly bySeq: number;
}

/** The promise as a whole: whatever was accepted is answered, by its own answer, or was stopped by its person. */
export function createPromise(): Invariant {
  const claimed = new Map<string, number>();
  const answers = new Map<number, Answer>();
  const stopped = new Set<number>();
  const deleted = new Set<string>();
  return {
    name: "promise",
    observe(seen, grounds) {
      if (seen.type === "deleted") deleted.add(seen.key);
      if (seen.type === "quiet") return judgeItems(grounds, answers, stopped, deleted);
      if (seen.type !== "step") return undefined;
      for (const { lane, epoch, item } of listClaims(seen)) claimed.set(`${lane} ${epoch}`, item.seq);
      const { step, result } = seen;
      if (result.status !== "done") return undefined;
      if (step.step === "commit_turn" || step.step === "command") {
        const text = step.deliveries.map(({ body }) => body).join("");
        const rows = step.deliveries.map(({ id }) => id);
        const seqs = step.step === "command" ? [step.seq] : step.items;
        for (const seq of seqs) answers.set(seq, { rows, text, bySeq: seqs[0] ?? seq });
      }
      if (step.step === "commit_turn") return judgeAnswer(step.items[0] ?? 0, step.deliveries, grounds);
      // An agent may stop what a sub-agent of its own makes for people in its thread.
      if (step.step === "end_runs" && step.stop !== undefined) {
        const seq = claimed.get(`${step.stop.lane} ${step.stop.epoch}`);
        if (seq !== undefined) stopped.add(seq);
      }
      if (step.step === "command" && step.stop !== undefined) {
        const seq = claimed.get(`${step.stop.lane ?? step.lane} ${step.stop.epoch}`);
        if (seq !== undefined && grounds.data.items.get(seq)?.row.state === "done") stopped.add(seq);
      }
      return undefined;
    },
  };
}

/** An agent's answer names the message it answers. */
function judgeAnswer(
  seq: number,
  deliveries: readonly { readonly id: string; readonly kind: string; readonly body: string }[],
  { data }: Grounds,
): string | undefined {
  const [first] = deliveries;
  if (first?.kind !== "reply") return undefined;
  const [label = ""] = LABEL.exec(data.items.get(seq)?.row.body ?? "") ?? [];
  return first.body.includes(`re ${label} `)
    ? undefined
    : `item ${seq} is ${label}, and is answered by ${first.body.slice(0, 80)}`;
}

function judgeItems(
  { data }: Grounds,
  answers: ReadonlyMap<number, Answer>,
  stopped: ReadonlySet<number>,
  deleted: ReadonlySet<string>,
): string | undefined {
  for (const { row } of data.items.values()) {
    if (row.state === "refused") continue;
    const what = `the ${row.kind} ${row.seq} of ${row.lane}`;
    if (row.state !== "done" && row.state !== "quarantined") return `${what} is ${row.state} when all is quiet`;
    if (deleted.has(row.lane)) continue;
    // What comes from inside is owed no answer: who asked is told otherwise (I1, I9).
    if (row.kind !== "message" && row.kind !== "command") continue;
    // A program that orders through the API is answered there, and no chat hears of it.
    if (row.address === "") continue;
    const answer = answers.get(row.seq);
    if (answer === undefined && stopped.has(row.seq)) continue;
    if (answer === undefined) return `${what} has ended, and nobody answered it`;
    if (answer.rows.length === 0 && !keepsSilent(answer.bySeq, data) && !wasCutOff(row.seq, answer.bySeq, data))
      return `${what} has ended without a word`;
  }
  return undefined;
}

/**
 * Another message took its place, and what it asked stands before that one in the same conversation. Where the chat has
 * moved in between to one with a conversation of its own, its state stays saved for whoever writes here next.
 */
function wasCutOff(seq: number, bySeq: number, { seldom, sessions }: Grounds["data"]): boolean {
  return seldom.listEntriesOfItem(bySeq).some(({ sessionId, seq: at }) => {
    const conversation = seldom.listEntriesOf(sessionId);
    const asked = conversation.findIndex(({ id }) => id === `input|${seq}|${sessionId}`);
    const isCut = conversation[at - 1]?.id.startsWith("interruption|") === true;
    // Or a person has begun a new conversation.
    const isFollowed = conversation
      .slice(at)
      .some(({ id, body }) => id.startsWith("input|") || body.includes('"kind":"reset"'));
    const isSaved = [...sessions.values()].some(({ body }) => body.includes(sessionId) && savesCut(body, bySeq));
    return isCut && asked >= 0 && (isFollowed || isSaved);
  });
}

const SAVED = /"interruption":\{[^}]*"itemSeqs":\[([\d,]*)\]/;
/** The session keeps the state of that turn for whoever writes next. */
function savesCut(session: string, seq: number): boolean {
  const [, seqs = ""] = SAVED.exec(session) ?? [];
  return seqs.split(",").includes(String(seq));
}

const SILENCE = /"text":"(?:NO_REPLY|ANNOUNCE_SKIP)"/;

/** The agent said exactly that nothing is to be said. */
function keepsSilent(seq: number, { seldom }: Grounds["data"]): boolean {
  return seldom.listEntriesOfItem(seq).some(({ body }) => SILENCE.test(body));
}
