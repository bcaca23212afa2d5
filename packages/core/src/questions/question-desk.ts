import type { Address, ChannelPeer, PermissionRequest, PermissionVerdict, TextCapability } from "@banyan/plugin-sdk";
import type { NewDelivery, NewEntry, NewTimer, Store } from "@banyan/store";
import type { DeliveryPolicies } from "../config/shapes/delivery-setting.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { Outbox } from "../outbound/outbox.ts";
import type { Ports } from "../ports/ports.ts";
import { formatEntry } from "../sessions/transcript.ts";
import {
  type AnswerPart,
  buildOpenQuestionTimer,
  buildQuestionDeliveryId,
  buildQuestionEntry,
  buildQuestionId,
  findRequestProblem,
  formatQuestion,
} from "./question.ts";
import { findAnswer, readAsked } from "./read-question.ts";

export interface QuestionDeskParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  readonly outbox: Outbox;
  getChannel(address: Address): DeliveryPolicies & { readonly text: TextCapability; readonly buttons?: boolean };
  /** So long a question waits for its answer. */
  readonly answerMs: number;
  wakeTimers(dueInMs: number): void;
}

/** More questions of one turn at a time nobody reads, and more in all nobody answers. */
const MOST_AT_A_TIME = 4;
const MOST_OF_TURN = 20;

/** The turn that asks. */
export interface AskingTurn {
  readonly itemSeq: number;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly address: Address;
  /** Absent: nobody is known who could answer. */
  readonly askedOf?: ChannelPeer;
  /** Aborts when the turn does. */
  readonly signal: AbortSignal;
  /** Around the wait for an answer; not called where there is one already. */
  rest<Result>(work: () => Promise<Result>): Promise<Result>;
  /** T2b; rejects when the lane is lost. */
  write(entries: readonly NewEntry[], more: WrittenWith): Promise<void>;
}

export interface WrittenWith {
  readonly deliveries: readonly NewDelivery[];
  readonly arm: readonly NewTimer[];
}

/** Questions of turns to people: written with the turn, asked in its chat, answered by a command or by their time. */
export class QuestionDesk {
  readonly #parts: QuestionDeskParts;
  /** By question: who waits here for its answer. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Sessions whose turn waits; one has several calls at a time, perhaps. */
  readonly #asking = new Map<string, number>();

  constructor(parts: QuestionDeskParts) {
    this.#parts = parts;
  }

  /** The request's id is unique in the turn, and the same in a later attempt that asks the same again. */
  async ask(request: PermissionRequest, turn: AskingTurn): Promise<PermissionVerdict> {
    const { store, ports } = this.#parts;
    // Where the chat has moved meanwhile it is asked there anew.
    const id = buildQuestionId(turn.itemSeq, `${turn.address}|${request.id}`);
    const asked = await readAsked(store.read, turn.itemSeq, id);
    if (asked.answer !== undefined) return judge(asked.answer, request);
    if (!asked.isAsked) {
      const { askedOf } = turn;
      const problem = findRequestProblem(request);
      if (problem !== undefined) {
        ports.log.warn({ session: turn.sessionKey, problem }, "a question was not asked, which is a no");
        return { kind: "denied", why: "unfit" };
      }
      if (asked.count >= MOST_OF_TURN || (this.#asking.get(turn.sessionKey) ?? 0) >= MOST_AT_A_TIME) {
        ports.log.warn({ session: turn.sessionKey }, "an agent asks too much at a time; that is a no");
        return { kind: "denied", why: "unfit" };
      }
      if (askedOf === undefined) return { kind: "denied", why: "nobody" };
      if (turn.signal.aborted) return { kind: "denied", why: "stopped" };
      await this.#write({ id, request, askedOf }, turn);
    }
    const { sessionKey } = turn;
    this.#asking.set(sessionKey, (this.#asking.get(sessionKey) ?? 0) + 1);
    const answer = await turn.rest(() => this.#wait(id, turn)).finally(() => this.#endAsking(sessionKey));
    return answer === undefined ? { kind: "denied", why: "stopped" } : judge(answer, request);
  }

  /** Whether the session's turn waits for a person. */
  isAsking(sessionKey: string): boolean {
    return this.#asking.has(sessionKey);
  }

  /** An answer was stored. */
  settle(questionId: string): void {
    for (const look of this.#waiting.get(questionId) ?? []) look();
  }

  async #write(
    { id, request, askedOf }: { id: string; request: PermissionRequest; askedOf: ChannelPeer },
    turn: AskingTurn,
  ): Promise<void> {
    const { ports, outbox, owner, answerMs, getChannel, wakeTimers } = this.#parts;
    const { itemSeq, sessionKey, sessionId, address } = turn;
    const { text: limit, policy, buttons: hasButtons = false } = getChannel(address);
    const { choices } = request;
    const now = ports.clock.now();
    const text = ports.scrub(formatQuestion({ request, askedOf, answerMs, hasButtons }));
    const deliveries = composeDeliveries({
      deliveryId: buildQuestionDeliveryId(id),
      kind: "question",
      address,
      text,
      limit,
      policy,
      sessionKey,
      question: { id, itemSeq, sessionId, choices, askedOf, expiresAt: now + answerMs },
    });
    const stamp = { id: buildQuestionDeliveryId(id), timestamp: now };
    const part = { type: "question", id, text: ports.scrub(request.text), choices, askedOf } as const;
    const reserved = outbox.reserve(deliveries, owner);
    let isWritten = false;
    try {
      const arm = [buildOpenQuestionTimer(id, answerMs, itemSeq)];
      await turn.write([formatEntry(buildQuestionEntry(stamp, part))], { deliveries: reserved, arm });
      isWritten = true;
    } finally {
      if (isWritten) outbox.enqueue(reserved);
      else outbox.release(reserved);
    }
    wakeTimers(answerMs);
  }

  /** Resolves without an answer when the turn ends. */
  async #wait(id: string, { itemSeq, signal }: AskingTurn): Promise<AnswerPart | undefined> {
    const { read } = this.#parts.store;
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const wake = () => resolve(undefined);
      this.#listen(id, wake);
      signal.addEventListener("abort", wake, { once: true });
      try {
        // Looked at behind the listening: what is answered from now on wakes it.
        const answer = await findAnswer(read, itemSeq, id);
        if (answer !== undefined) return answer;
        await promise;
      } finally {
        this.#leave(id, wake);
        signal.removeEventListener("abort", wake);
      }
    }
    return undefined;
  }

  #endAsking(sessionKey: string): void {
    const left = (this.#asking.get(sessionKey) ?? 1) - 1;
    if (left === 0) this.#asking.delete(sessionKey);
    else this.#asking.set(sessionKey, left);
  }

  #listen(id: string, look: () => void): void {
    this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(look));
  }

  #leave(id: string, look: () => void): void {
    const waiting = this.#waiting.get(id);
    waiting?.delete(look);
    if (waiting?.size === 0) this.#waiting.delete(id);
  }
}

function judge({ choice: chosen }: AnswerPart, { choices }: PermissionRequest): PermissionVerdict {
  if (chosen === undefined) return { kind: "denied", why: "timeout" };
  const choice = choices.find(({ id }) => id === chosen);
  return choice === undefined ? { kind: "denied", why: "unfit" } : { kind: "chosen", choice };
}
