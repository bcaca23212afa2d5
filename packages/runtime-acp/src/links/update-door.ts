/**
 * Where every `session/update` of an agent arrives, and is tagged with the run and the epoch of the prompt it belongs to. What
 * listens takes what bears its own tag; the rest is dropped and counted. What an update says of the session, and not of a
 * prompt, is the exception: its cost is the session's, whenever it is told.
 */
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { ArrivedUpdate, SessionUpdate } from "./agent-answer.ts";
import { isSameTag, type TurnTag } from "./turn-tag.ts";

/** Of one session, messages and tool calls: what came long ago does not come again. */
const MOST_IDS = 1_000;

/** What tells of the session, whoever's prompt is under way: nobody is waiting for it, and it is no loss. */
const OF_SESSION: readonly string[] = [
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "usage_update",
];

/** `undefined`: no prompt was under way, so it belongs to none. */
export interface TaggedUpdate {
  readonly tag: TurnTag | undefined;
  readonly update: SessionUpdate;
}

/** Who hears what the agent says and asks in one of its sessions while a prompt is under way there. */
export interface SessionEar {
  /** Of the prompt. */
  readonly tag: TurnTag;
  /** Whether it was taken; it is not where it bears another tag. */
  hear(tagged: TaggedUpdate): boolean;
  /** All that the session has cost, in US dollars. `isLate`: told with another prompt, or before this one. */
  hearCost(totalUsd: number, isLate: boolean): void;
  decide(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

export interface DroppedUpdate {
  readonly session: string;
  readonly kind: string;
  readonly tag: TurnTag | undefined;
  /** Of this agent process, until now. */
  readonly dropped: number;
}

interface Door {
  ear: SessionEar | undefined;
  /** With what the first piece of each message and tool call was tagged. */
  readonly firstTags: Map<string, TurnTag | undefined>;
  toldUsd: number | undefined;
}

export class UpdateDoor {
  readonly #doors = new Map<string, Door>();
  readonly #onDropped: (drop: DroppedUpdate) => void;
  #dropped = 0;

  /** `onDropped` is called for the first one, and again each time that there are twice as many. */
  constructor(onDropped: (drop: DroppedUpdate) => void) {
    this.#onDropped = onDropped;
  }

  /** From now on it is noted what is told in this session. Repeatable. */
  admit(sessionId: string): void {
    this.#admit(sessionId);
  }

  /** The session is over in this process. */
  forget(sessionId: string): void {
    this.#doors.delete(sessionId);
  }

  /** Until it is called back, a prompt is under way in this session. */
  listen(sessionId: string, ear: SessionEar): () => void {
    const door = this.#admit(sessionId);
    door.ear = ear;
    if (door.toldUsd !== undefined) ear.hearCost(door.toldUsd, true);
    return () => {
      if (door.ear === ear) door.ear = undefined;
    };
  }

  /** Whose prompt is under way there; `echo`: with what the agent asks for it. */
  findEar(sessionId: string, echo: TurnTag | undefined): SessionEar | undefined {
    const ear = this.#doors.get(sessionId)?.ear;
    return ear !== undefined && (echo === undefined || isSameTag(echo, ear.tag)) ? ear : undefined;
  }

  /** By the agent's last word in this process. */
  findToldUsd(sessionId: string): number | undefined {
    return this.#doors.get(sessionId)?.toldUsd;
  }

  receive({ sessionId, update, echo }: ArrivedUpdate): void {
    const door = this.#doors.get(sessionId);
    const tag = door === undefined ? echo : tagUpdate(door, update, echo);
    const { costUsd, sessionUpdate: kind } = update;
    if (door !== undefined && costUsd !== undefined) {
      door.toldUsd = costUsd;
      door.ear?.hearCost(costUsd, !isSameTag(tag, door.ear.tag));
      return;
    }
    if (door?.ear?.hear({ tag, update }) === true || OF_SESSION.includes(kind)) return;
    this.#dropped += 1;
    const isTold = Number.isInteger(Math.log2(this.#dropped));
    if (isTold) this.#onDropped({ session: sessionId, kind, tag, dropped: this.#dropped });
  }

  #admit(sessionId: string): Door {
    const standing = this.#doors.get(sessionId);
    if (standing !== undefined) return standing;
    const door: Door = { ear: undefined, firstTags: new Map(), toldUsd: undefined };
    this.#doors.set(sessionId, door);
    return door;
  }
}

/**
 * The agent's own word goes first, then what the same message or tool call began with, then whose prompt is under way: what
 * has neither word nor id and comes late cannot be known from what comes in time.
 */
function tagUpdate({ ear, firstTags }: Door, update: SessionUpdate, echo: TurnTag | undefined): TurnTag | undefined {
  const id = nameUpdate(update);
  if (id === undefined) return echo ?? ear?.tag;
  const tag = echo ?? (firstTags.has(id) ? firstTags.get(id) : ear?.tag);
  if (firstTags.has(id)) return tag;
  firstTags.set(id, tag);
  const oldest = firstTags.size > MOST_IDS ? firstTags.keys().next().value : undefined;
  if (oldest !== undefined) firstTags.delete(oldest);
  return tag;
}

function nameUpdate({ messageId, toolCallId }: SessionUpdate): string | undefined {
  if (messageId !== undefined) return `message ${messageId}`;
  return toolCallId === undefined ? undefined : `tool call ${toolCallId}`;
}
