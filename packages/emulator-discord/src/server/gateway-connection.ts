/** One connection to the gateway: HELLO · IDENTIFY or RESUME · heartbeats · the session's dispatches · close. */
import { randomUUID } from "node:crypto";
import { GatewayIntentBits, GatewayOpcodes } from "discord-api-types/v10";
import { decideIntents } from "../gateway/intent.ts";
import { Session, type SessionSocket } from "../gateway/session.ts";
import {
  AUTHENTICATED_ALREADY,
  closeWith,
  INVALID,
  REFUSED_TOKEN,
  type Rejection,
  UNAUTHENTICATED,
  UNREADABLE,
  type Verdict,
} from "../gateway/verdict.ts";
import { buildGuildCreate } from "../wire/guild-wire.ts";
import { listMembers } from "../wire/member-wire.ts";
import { buildReady } from "../wire/ready-wire.ts";
import type { Bot } from "../world/bot.ts";
import type { World } from "../world/world.ts";
import {
  FRAME_LIMIT_BYTES,
  type Frame,
  identifySchema,
  membersRequestSchema,
  parseFrame,
  resumeSchema,
} from "./gateway-frame.ts";

/** Sends of a client in a minute (Gateway, "Rate Limiting"; D52). */
const SEND_LIMIT = 120;
const SEND_WINDOW_MS = 60_000;
/** One IDENTIFY in this time, as max_concurrency 1 says (D51). */
const IDENTIFY_WINDOW_MS = 5000;
/** What a session can replay: far beyond a test's, and in a bench no more than the memory bears. */
const REPLAY_LIMIT = 10_000;
const REPLAY_LIMIT_OF_BENCH = 1000;

export interface ConnectionOptions {
  readonly world: World;
  readonly socket: SessionSocket;
  readonly resumeUrl: string;
  readonly heartbeatIntervalMs: number;
  readonly isPaced: boolean;
}

interface Resumption {
  readonly bot: Bot;
  readonly session: Session;
  readonly missed: readonly string[];
}

export class GatewayConnection {
  readonly #options: ConnectionOptions;
  readonly #world: World;
  readonly #socket: SessionSocket;
  #bot: Bot | undefined;
  #session: Session | undefined;
  #windowStartMs = 0;
  #sendCount = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#world = options.world;
    this.#socket = options.socket;
  }

  greet(): void {
    const d = { heartbeat_interval: this.#options.heartbeatIntervalMs, _trace: ["emulator"] };
    this.#send(GatewayOpcodes.Hello, d);
  }

  receive(text: string): void {
    if (Buffer.byteLength(text) > FRAME_LIMIT_BYTES) this.#refuse(closeWith(4002, "Payload too large."));
    else if (this.#options.isPaced && !this.#countSend()) this.#refuse(closeWith(4008, "Rate limited."));
    else this.#read(parseFrame(text));
  }

  #read(frame: Frame | undefined): void {
    const isKnown = this.#session !== undefined;
    switch (frame?.op) {
      case undefined:
        this.#refuse(UNREADABLE);
        break;
      case GatewayOpcodes.Heartbeat:
        if (!this.#world.trouble.isSilent) this.#send(GatewayOpcodes.HeartbeatAck, null);
        break;
      case GatewayOpcodes.Identify:
        this.#identify(isKnown ? AUTHENTICATED_ALREADY : (this.#turnAway() ?? this.#decideIdentify(frame?.d)));
        break;
      case GatewayOpcodes.Resume:
        if (!this.#world.trouble.takeIgnoring())
          this.#resume(isKnown ? AUTHENTICATED_ALREADY : (this.#turnAway() ?? this.#decideResume(frame?.d)));
        break;
      case GatewayOpcodes.RequestGuildMembers:
        if (isKnown) this.#findMembers(frame?.d);
        else this.#refuse(UNAUTHENTICATED);
        break;
      case GatewayOpcodes.PresenceUpdate:
      case GatewayOpcodes.VoiceStateUpdate:
        if (!isKnown) this.#refuse(UNAUTHENTICATED);
        break;
      default:
        this.#refuse(closeWith(4001, "Unknown opcode."));
    }
  }

  /** A session ends with 1000 and 1001, and can be resumed after anything else (D47). */
  end(code: number): void {
    const session = this.#session;
    if (session === undefined || session.socket !== this.#socket) return;
    session.socket = undefined;
    session.lostAtMs = this.#world.clock.nowMs();
    if (code === 1000 || code === 1001) this.#bot?.sessions.delete(session.id);
    this.#world.changed.fire();
  }

  #turnAway(): Rejection | undefined {
    const { turnAwayCode: code } = this.#world.trouble;
    return code === undefined ? undefined : closeWith(code, "Not now.");
  }

  #decideIdentify(payload: unknown): Verdict<{ readonly bot: Bot; readonly intents: number }> {
    const { data: identify } = identifySchema.safeParse(payload);
    if (identify === undefined) return UNREADABLE;
    const bot = this.#world.bots.findByToken(identify.token.replace(/^Bot /, ""));
    if (bot === undefined) return REFUSED_TOKEN;
    const code = decideIntents(identify.intents, bot);
    if (code !== undefined) return closeWith(code, code === 4013 ? "Invalid intent(s)." : "Disallowed intent(s).");
    // One shard is all there is: a test has no 2500 guilds.
    const [shard, shardCount] = identify.shard ?? [0, 1];
    if (shard !== 0 || shardCount !== 1) return closeWith(4010, "Invalid shard.");
    const nowMs = this.#world.clock.nowMs();
    if (this.#options.isPaced && nowMs - bot.lastIdentifyMs < IDENTIFY_WINDOW_MS) return INVALID;
    bot.lastIdentifyMs = nowMs;
    if (bot.countStart(nowMs)) return { kind: "accept", accepted: { bot, intents: identify.intents } };
    // Discord ends all sessions and resets the token of a bot that overruns its budget (D51).
    bot.revoke();
    return REFUSED_TOKEN;
  }

  #identify(verdict: Verdict<{ readonly bot: Bot; readonly intents: number }>): void {
    if (verdict.kind === "accept") this.#start(verdict.accepted.bot, verdict.accepted.intents);
    else this.#refuse(verdict);
  }

  #start(bot: Bot, intents: number): void {
    const session = new Session({
      id: randomUUID().replaceAll("-", ""),
      intents,
      replayLimit: this.#world.isExact ? REPLAY_LIMIT : REPLAY_LIMIT_OF_BENCH,
      trouble: this.#world.trouble,
    });
    this.#attach(bot, session);
    bot.sessions.set(session.id, session);
    const guilds = [...bot.guildIds].map((id) => this.#world.getGuild(id));
    session.dispatch(
      "READY",
      JSON.stringify(buildReady({ bot, sessionId: session.id, resumeUrl: this.#options.resumeUrl })),
    );
    if (session.wants(GatewayIntentBits.Guilds)) {
      for (const guild of guilds) {
        if (guild.isUnavailable) continue;
        session.dispatch("GUILD_CREATE", JSON.stringify(buildGuildCreate(this.#world, guild, bot)));
      }
    }
    this.#world.changed.fire();
  }

  #decideResume(payload: unknown): Verdict<Resumption> {
    const { data: resume } = resumeSchema.safeParse(payload);
    if (resume === undefined) return UNREADABLE;
    const bot = this.#world.bots.findByToken(resume.token.replace(/^Bot /, ""));
    if (bot === undefined) return REFUSED_TOKEN;
    const refusal = this.#world.trouble.takeRefusal();
    if (typeof refusal === "number") return closeWith(refusal, "Session refused.");
    bot.dropLostSessions(this.#world.clock.nowMs());
    const session = bot.sessions.get(resume.session_id);
    if (session === undefined || refusal === "invalid") return INVALID;
    if (resume.seq > session.seq) return closeWith(4007, "Invalid seq.");
    const missed = session.findReplay(resume.seq);
    return missed === undefined ? INVALID : { kind: "accept", accepted: { bot, session, missed } };
  }

  #resume(verdict: Verdict<Resumption>): void {
    if (verdict.kind === "accept") this.#continue(verdict.accepted);
    else this.#refuse(verdict);
  }

  #continue({ bot, session, missed }: Resumption): void {
    session.socket?.close(4000, "Resumed elsewhere.");
    if (this.#world.trouble.takeForgetting()) {
      bot.sessions.delete(session.id);
      this.#start(bot, session.intents);
      return;
    }
    this.#attach(bot, session);
    for (const frame of missed) this.#socket.send(frame);
    if (!this.#world.trouble.takeEndlessness()) session.dispatch("RESUMED", '{"_trace":["emulator"]}');
    this.#world.changed.fire();
  }

  #attach(bot: Bot, session: Session): void {
    this.#bot = bot;
    this.#session = session;
    session.socket = this.#socket;
    session.lostAtMs = undefined;
  }

  /** Answers REQUEST_GUILD_MEMBERS with one chunk: a test's guild is small. */
  #findMembers(payload: unknown): void {
    const { data: request } = membersRequestSchema.safeParse(payload);
    const guild = this.#world.guilds.get(request?.guild_id ?? "");
    if (request === undefined || guild === undefined || this.#bot?.guildIds.has(guild.id) !== true) return;
    const wanted = request.user_ids;
    const members = listMembers(this.#world, guild).filter(
      ({ user }) =>
        wanted === undefined || (typeof wanted === "string" ? wanted === user.id : wanted.includes(user.id)),
    );
    const chunk = { guild_id: guild.id, members, chunk_index: 0, chunk_count: 1, nonce: request.nonce };
    this.#session?.dispatch("GUILD_MEMBERS_CHUNK", JSON.stringify(chunk));
  }

  #countSend(): boolean {
    const nowMs = this.#world.clock.nowMs();
    if (nowMs - this.#windowStartMs >= SEND_WINDOW_MS) {
      this.#windowStartMs = nowMs;
      this.#sendCount = 0;
    }
    this.#sendCount += 1;
    return this.#sendCount <= SEND_LIMIT;
  }

  #refuse(rejection: Rejection): void {
    if (rejection.kind === "close") this.#socket.close(rejection.code, rejection.reason);
    else this.#send(GatewayOpcodes.InvalidSession, false);
  }

  #send(op: number, d: unknown): void {
    this.#socket.send(JSON.stringify({ t: null, s: null, op, d }));
  }
}
