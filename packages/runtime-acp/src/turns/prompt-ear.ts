import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { AcpProfile, Log, PermissionVerdict } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import type { SessionUpdate } from "../links/agent-answer.ts";
import { buildTag, isSameTag, type TurnTag } from "../links/turn-tag.ts";
import type { SessionEar, TaggedUpdate } from "../links/update-door.ts";
import { buildPermissionQuestion, formatVerdict, hashCall } from "./permission.ts";
import type { PromptUsage } from "./prompt-usage.ts";

const GAP = "\n\n";
/** Besides its words and its tool calls. */
const SIGNS_OF_LIFE: ReadonlySet<string> = new Set(["agent_thought_chunk", "plan"]);
const CALL_UPDATES: ReadonlySet<string> = new Set(["tool_call", "tool_call_update"]);
/** Of a tool call that has not ended. */
const OPEN: ReadonlySet<string> = new Set(["pending", "in_progress"]);
/** Of one turn: more of them are no more than a sign of life. */
const MAX_OPEN_CALLS = 1_000;
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

export interface PromptEarParts {
  readonly turn: LiveTurn;
  readonly profile: AcpProfile;
  readonly audience: "known" | "anybody";
  readonly usage: PromptUsage;
  readonly log: Log;
}

/** What one turn hears of its agent: words for the turn, questions for its person. Nothing after the turn is stopped. */
export class PromptEar implements SessionEar {
  readonly tag: TurnTag;
  readonly #parts: PromptEarParts;
  readonly #asked = new Map<string, number>();
  readonly #openCalls = new Set<string>();
  #message: string | undefined;
  #needsGap = false;
  #hasSpoken = false;

  constructor(parts: PromptEarParts) {
    this.#parts = parts;
    this.tag = buildTag(parts.turn.input);
  }

  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  hear({ tag, update }: TaggedUpdate): boolean {
    if (!isSameTag(tag, this.tag)) return false;
    if (this.#parts.turn.signal.aborted) return true;
    const { sessionUpdate, content, messageId } = update;
    // What the agent does between two pieces of its words parts them.
    if (sessionUpdate === "tool_call") this.#needsGap = true;
    if (SIGNS_OF_LIFE.has(sessionUpdate)) this.#parts.turn.noteActivity();
    if (CALL_UPDATES.has(sessionUpdate)) this.#parts.turn.noteActivity(this.#noteCall(update));
    if (sessionUpdate !== "agent_message_chunk" || content === undefined) return true;
    const isOther = messageId !== undefined && this.#message !== undefined && messageId !== this.#message;
    this.#message = messageId;
    this.#say(content.text, this.#hasSpoken && (this.#needsGap || isOther));
    return true;
  }

  /** Returns whether a tool call is open. By the protocol one without a status is new, and an update without one changes none. */
  #noteCall({
    sessionUpdate,
    toolCallId,
    status = sessionUpdate === "tool_call" ? "pending" : undefined,
  }: SessionUpdate) {
    if (toolCallId !== undefined && status !== undefined) {
      if (!OPEN.has(status)) this.#openCalls.delete(toolCallId);
      else if (this.#openCalls.size < MAX_OPEN_CALLS) this.#openCalls.add(toolCallId);
    }
    return this.#openCalls.size > 0;
  }

  /** Also of a turn that is being stopped. */
  hearCost(totalUsd: number, isLate: boolean): void {
    this.#parts.usage.noteCost(totalUsd, isLate);
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
