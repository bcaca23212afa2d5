/** Shows in the chats how sub-agents fare: their messages are edited while they work, never more often than the platform bears. */
import { isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/store";
import { parseRunBody } from "../../runs/run-body.ts";
import { isUnfinished, UNFINISHED_STATES } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { readStatus, showStatus } from "./show-status.ts";

/** In a direct chat. */
const DIRECT_PAUSE_MS = 3_000;
/** In a group, where Telegram bears 20 messages a minute of a bot ("My bot is hitting limits", Bots FAQ), edits included. */
const GROUP_PAUSE_MS = 6_000;
/** Unfinished runs that are looked at; others show their end. */
const MOST_RUNS = 500;

interface Shown {
  text: string;
  /** On the monotonic clock: not edited again before. */
  dueAt: number;
}

/** Edits are volatile: what counts is the end, which a durable timer and the completion message show. */
export class StatusBoard {
  readonly #parts: SubagentParts;
  /** By the row of the delivery; what is not to be edited any more stays until its runs have ended. */
  readonly #shown = new Map<string, Shown | "over">();
  #cancel: (() => void) | undefined;
  #isLooking = false;

  constructor(parts: SubagentParts) {
    this.#parts = parts;
    parts.signal.addEventListener("abort", () => this.#cancel?.(), { once: true });
  }

  /** Something was spawned, or the gateway begins. */
  wake(): void {
    if (this.#cancel !== undefined || this.#parts.signal.aborted) return;
    this.#cancel = this.#parts.ports.clock.schedule(DIRECT_PAUSE_MS, () => {
      this.#cancel = undefined;
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { store, ports } = this.#parts;
    try {
      const runs = await store.read.runs({ states: UNFINISHED_STATES, newest: true, limit: MOST_RUNS });
      const places = new Map(runs.flatMap(listPlace));
      for (const anchor of this.#shown.keys()) if (!places.has(anchor)) this.#shown.delete(anchor);
      for (const [anchor, run] of places) await this.#show(anchor, run);
      this.#isLooking = false;
      if (places.size > 0) this.wake();
    } catch (error) {
      this.#isLooking = false;
      ports.log.warn({ err: error }, "the progress of sub-agents could not be shown");
      this.wake();
    }
  }

  async #show(anchor: string, { requesterSessionKey, route }: RunRow): Promise<void> {
    const now = this.#parts.ports.clock.monotonic();
    const shown = this.#shown.get(anchor);
    if (shown === "over" || (shown !== undefined && shown.dueAt > now)) return;
    const status = await readStatus(anchor, requesterSessionKey, this.#parts);
    // The last word is the timer's.
    if (status.text === shown?.text || !status.runs.some(isUnfinished)) return;
    const end = await showStatus(status, this.#parts);
    if (end === "claimed" || end === "gone" || end === "refused" || end === "unclear") this.#shown.set(anchor, "over");
    else if (end === "done") this.#shown.set(anchor, { text: status.text, dueAt: now + resolvePauseMs(route) });
  }
}

function listPlace(run: RunRow): readonly (readonly [string, RunRow])[] {
  const { anchor } = parseRunBody(run.body);
  return anchor === undefined ? [] : [[anchor, run]];
}

function resolvePauseMs(route: string): number {
  return isAddress(route) && parseAddress(route).kind === "dm" ? DIRECT_PAUSE_MS : GROUP_PAUSE_MS;
}
