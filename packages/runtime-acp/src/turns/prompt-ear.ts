import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { AcpProfile, Log, PermissionVerdict } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import type { SessionUpdate } from "../links/agent-answer.ts";
import type { SessionEar } from "../links/agent-link.ts";
import type { CostMeter } from "./cost-meter.ts";
import { buildPermissionQuestion, formatVerdict, hashCall } from "./permission.ts";

const GAP = "\n\n";
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
/** Of one conversation: what came long ago does not come again. */
const MOST_MESSAGE_IDS = 1_000;

export interface PromptEarParts {
  readonly turn: LiveTurn;
  readonly profile: AcpProfile;
  readonly audience: "known" | "anybody";
  /** Ids of the agent's messages that earlier turns heard: what is added to them comes too late. */
  readonly heardBefore: ReadonlySet<string>;
  readonly meter: CostMeter;
  readonly log: Log;
}

/** What one turn hears of its agent: words for the turn, questions for its person. Nothing after the turn is stopped. */
export class PromptEar implements SessionEar {
  readonly #parts: PromptEarParts;
  readonly #heard = new Set<string>();
  readonly #asked = new Map<string, number>();
  #message: string | undefined;
  #needsGap = false;
  #hasSpoken = false;

  constructor(parts: PromptEarParts) {
    this.#parts = parts;
  }

  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /** Ids of the messages that this turn has heard, with those before it; the oldest are left out. */
  get heard(): ReadonlySet<string> {
    return new Set([...this.#parts.heardBefore, ...this.#heard].slice(-MOST_MESSAGE_IDS));
  }

  hear({ sessionUpdate, content, messageId, costUsd }: SessionUpdate): void {
    // Also of a turn that is being stopped.
    if (sessionUpdate === "usage_update" && costUsd !== undefined) this.#noteCost(costUsd);
    if (this.#parts.turn.signal.aborted) return;
    // What the agent does between two pieces of its words parts them.
    if (sessionUpdate === "tool_call") this.#needsGap = true;
    if (sessionUpdate !== "agent_message_chunk" || content === undefined) return;
    if (messageId !== undefined && this.#parts.heardBefore.has(messageId)) return;
    if (messageId !== undefined) this.#heard.add(messageId);
    const isOther = messageId !== undefined && this.#message !== undefined && messageId !== this.#message;
    this.#message = messageId;
    this.#say(content.text, this.#hasSpoken && (this.#needsGap || isOther));
  }

  async decide(asked: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { turn, log, profile } = this.#parts;
    if (turn.signal.aborted) return CANCELLED;
    const verdict = await this.#ask(asked);
    log.info(
      { turnId: turn.input.turnId, asked: asked.toolCall.title, profile, ...verdict.shown },
      "an agent asked for permission",
    );
    return turn.signal.aborted ? CANCELLED : verdict.response;
  }

  async #ask(
    asked: RequestPermissionRequest,
  ): Promise<{ readonly response: RequestPermissionResponse; readonly shown: object }> {
    const { turn, profile, audience } = this.#parts;
    const offered = asked.options;
    const nobody: PermissionVerdict = { kind: "denied", why: "nobody" };
    const denied = { response: formatVerdict(nobody, { options: new Map(), offered }), shown: { verdict: "denied" } };
    if (profile === "chat-safe") return denied;
    const hash = hashCall(asked.toolCall);
    const counted = this.#asked.get(hash) ?? 0;
    this.#asked.set(hash, counted + 1);
    // In a chat where anybody writes, nobody gives a leave that outlasts his question.
    const question = buildPermissionQuestion(asked, { counted, mayRemember: audience === "known" });
    if (question === undefined) return denied;
    // What stops the turn while the question stands is its answer, too.
    const verdict = await turn
      .waitFor(turn.input.askPermission(question.request))
      .catch((error: unknown): PermissionVerdict => {
        if (!turn.signal.aborted) throw error;
        return { kind: "denied", why: "stopped" };
      });
    return {
      response: formatVerdict(verdict, { options: question.options, offered }),
      shown: verdict.kind === "chosen" ? { verdict: verdict.choice.id } : { verdict: "denied", why: verdict.why },
    };
  }

  #noteCost(totalUsd: number): void {
    const { turn, meter } = this.#parts;
    meter.note(totalUsd);
    if (meter.costUsd !== undefined) turn.reportUsage({ costUsd: meter.costUsd });
  }

  #say(text: string, isApart: boolean): void {
    if (text === "") return;
    const { turn, log } = this.#parts;
    this.#needsGap = false;
    this.#hasSpoken = true;
    // Not waited for: the next piece comes when it comes, and the host bounds an answer.
    turn.say(isApart ? GAP + text : text).catch((error: unknown) => {
      if (!turn.signal.aborted)
        log.warn({ err: error, turnId: turn.input.turnId }, "a piece of an agent's answer came too late");
    });
  }
}
