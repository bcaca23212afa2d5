import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { APIUser } from "discord-api-types/v10";
import type { Session } from "../gateway/session.ts";
import type { ApplicationCommand } from "./application-command.ts";
import { buildUser } from "./user.ts";

/** The privileged intents as the developer portal switches them; both on if left out. */
export interface BotIntents {
  readonly messageContent?: boolean;
  readonly members?: boolean;
}

/** How a test describes a bot. */
export interface BotSpec {
  /** Sent as `Authorization: Bot <token>`. */
  readonly token: string;
  readonly username: string;
  /** A snowflake; a new one if left out. */
  readonly id?: string;
  readonly intents?: BotIntents;
}

/** Discord ends a session that stays away longer; how long exactly it does not say. */
const RESUME_WINDOW_MS = 5 * 60_000;
/** The identify budget of 24 hours (Gateway, "Session Start Limit"). */
export const SESSION_START_LIMIT = 1000;
const DAY_MS = 24 * 60 * 60_000;

/** A bot account with its application. The application's id is the bot's, as it is for all that were made since 2016. */
export class Bot {
  readonly token: string;
  readonly user: APIUser;
  /** Raw Ed25519 key in hex, as the developer portal shows it. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
  readonly sessions: Map<string, Session> = new Map();
  readonly guildIds: Set<string> = new Set();
  /** DM channels by the person's id. */
  readonly dmIds: Map<string, string> = new Map();
  /** By guild, "" for the global ones, then by kind and name. */
  readonly commands: Map<string, Map<string, ApplicationCommand>> = new Map();
  isRevoked = false;
  lastIdentifyMs: number = Number.NEGATIVE_INFINITY;
  messageContent: boolean;
  members: boolean;
  interactionsUrl: string | undefined;
  #openings: number[] = [];
  #startCount = 0;
  #startsResetAtMs = 0;

  constructor(spec: BotSpec & { readonly id: string }) {
    const { id, username, intents } = spec;
    this.token = spec.token;
    const discriminator = String((Number(id.slice(-4)) % 9999) + 1).padStart(4, "0");
    this.user = { ...buildUser(id, username, discriminator), bot: true };
    const keys = generateKeyPairSync("ed25519");
    this.privateKey = keys.privateKey;
    this.publicKey = keys.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
    this.messageContent = intents?.messageContent ?? true;
    this.members = intents?.members ?? true;
  }

  get id(): string {
    return this.user.id;
  }

  /** Which privileged intents the application has, as one that Discord has not verified shows them. */
  get applicationFlags(): number {
    return (this.members ? 1 << 15 : 0) | (this.messageContent ? 1 << 19 : 0);
  }

  get isConnected(): boolean {
    return [...this.sessions.values()].some(({ socket }) => socket !== undefined);
  }

  /** What is left of the identify budget, in both its figures. */
  readStartLimit(nowMs: number): { readonly remaining: number; readonly resetAfterMs: number } {
    this.#renewStarts(nowMs);
    return { remaining: SESSION_START_LIMIT - this.#startCount, resetAfterMs: this.#startsResetAtMs - nowMs };
  }

  /** As if so many of the budget had been used up. */
  setStartsLeft(count: number, nowMs: number): void {
    this.#renewStarts(nowMs);
    this.#startCount = SESSION_START_LIMIT - count;
  }

  /** False where the budget is used up. */
  countStart(nowMs: number): boolean {
    this.#renewStarts(nowMs);
    this.#startCount += 1;
    return this.#startCount <= SESSION_START_LIMIT;
  }

  /** Counts a DM that is opened; above `limit` in the window the time to wait for, else 0. */
  countOpening(nowMs: number, limit: number, windowMs: number): number {
    this.#openings = this.#openings.filter((atMs) => nowMs - atMs < windowMs);
    const [oldest = nowMs] = this.#openings;
    if (this.#openings.length >= limit) return oldest + windowMs - nowMs;
    this.#openings.push(nowMs);
    return 0;
  }

  #renewStarts(nowMs: number): void {
    if (nowMs < this.#startsResetAtMs) return;
    this.#startsResetAtMs = nowMs + DAY_MS;
    this.#startCount = 0;
  }

  /** The token is nobody's from now on, and its connections end (D15, D41). */
  revoke(): void {
    this.isRevoked = true;
    for (const { socket } of this.sessions.values()) socket?.close(4004, "Authentication failed.");
    this.sessions.clear();
  }

  /** Forgets sessions that have been away for too long. */
  dropLostSessions(nowMs: number): void {
    for (const session of this.sessions.values()) {
      if (session.lostAtMs !== undefined && nowMs - session.lostAtMs > RESUME_WINDOW_MS) {
        this.sessions.delete(session.id);
      }
    }
  }
}
