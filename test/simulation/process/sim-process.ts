import {
  type DeliverySetting,
  Gateway,
  type GatewayOptions,
  type IdentityLinks,
  type Ports,
  parseIdentityLinks,
} from "@banyan/core";
import type { ChannelPlugin } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import { createSimRuntime } from "../agents/sim-runtime.ts";
import type { Defect } from "../defects/defect.ts";
import { ALLOWED_GROUPS } from "../events/group.ts";
import { KNOWN_PEOPLE, LINKED } from "../events/person.ts";
import { createDiscordPlugin } from "../platforms/discord/discord-plugin.ts";
import { createMagpiePlugin } from "../platforms/magpie-plugin.ts";
import { createPigeonPlugin } from "../platforms/pigeon-plugin.ts";
import { createRavenPlugin } from "../platforms/raven-plugin.ts";
import type { Town } from "../platforms/town.ts";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";
import { AGENTS, LIMITS, THREAD_IDLE_HOURS } from "./house-rules.ts";
import { createStoreHandle } from "./store-handle.ts";

export interface SimProcessParts {
  readonly ground: Ground;
  readonly town: Town;
  readonly defect: Defect;
  readonly queue?: GatewayOptions["queue"] | undefined;
  /** Counted from 1. */
  readonly number: number;
  onDeath(): void;
  onPause(): void;
}

const LINKS: IdentityLinks = parseIdentityLinks(LINKED);

type Life = "runs" | "paused" | "dead";

/**
 * A gateway in a process of its own. Everything that reaches it comes through `enter`, so that it can be paused and
 * cut off at any moment: what it does after its death has no effect on the world.
 */
export class SimProcess implements Guest {
  readonly number: number;
  readonly gateway: Gateway;
  /** Whether the platforms talk with it; never again once a younger one has started. */
  isLeader = true;
  isStarted = false;
  #life: Life = "runs";
  readonly #parts: SimProcessParts;
  readonly #handle: ReturnType<typeof createStoreHandle>;
  #missed: (() => void)[] = [];

  constructor(parts: SimProcessParts) {
    this.#parts = parts;
    this.number = parts.number;
    this.#handle = createStoreHandle(parts.ground, this);
    this.gateway = new Gateway(this.#buildOptions());
  }

  get isDead(): boolean {
    return this.#life === "dead";
  }

  get isPaused(): boolean {
    return this.#life === "paused";
  }

  /** Lets something of the world reach the process: now, when it wakes, or never. */
  enter(run: () => void): void {
    if (this.#life === "runs") run();
    else if (this.#life === "paused") this.#missed.push(run);
  }

  start(): void {
    this.gateway.start().then(
      () => {
        if (this.isDead) return;
        this.isStarted = true;
        this.#parts.ground.observe({ type: "started", process: this });
      },
      // The program ends with an error, and its supervisor starts it again.
      (error: unknown) => {
        if (this.isDead) return;
        this.#parts.ground.trace.tell(() => `#${this.number} does not start: ${String(error)}`);
        this.die();
      },
    );
  }

  die(): void {
    if (this.isDead) return;
    this.#life = "dead";
    this.#missed = [];
    this.#handle.sever();
    this.#parts.ground.trace.tell(() => `#${this.number} dies`);
    this.#parts.onDeath();
  }

  /** Only a process that has started is suspended: one that starts has the store for itself. */
  pause(): void {
    if (this.#life !== "runs" || !this.isStarted) return;
    this.#life = "paused";
    this.#parts.ground.trace.tell(() => `#${this.number} is suspended`);
    this.#parts.onPause();
  }

  wake(): void {
    if (this.#life !== "paused") return;
    this.#life = "runs";
    this.#parts.ground.trace.tell(() => `#${this.number} wakes`);
    for (const run of this.#missed.splice(0)) this.enter(run);
  }

  /** The operator asks for something. A process that is starting, or is gone, does not hear it. */
  operate(name: string, args: object): void {
    this.#order(`operator: ${name} ${JSON.stringify(args)}`, async () => this.gateway.operations[name]?.(args));
  }

  /** A program that embeds the gateway ends a session's conversation. */
  reset(sessionKey: string): void {
    const order = () => this.gateway.sessions.resolveSessionReset({ sessionKey, reason: "manual" });
    this.#order(`program: reset ${sessionKey}`, order);
  }

  #order(name: string, order: () => Promise<unknown>): void {
    if (!this.isStarted) return;
    const { trace } = this.#parts.ground;
    this.enter(() => {
      trace.tell(() => name);
      order().then(
        () => trace.tell(() => `  done: ${name}`),
        (error: unknown) => trace.tell(() => `  refused: ${name}: ${String(error)}`),
      );
    });
  }

  /** An orderly end. */
  stop(): void {
    this.enter(() => void this.gateway.stop().then(() => this.die()));
  }

  #buildPorts(): Ports {
    const { ground } = this.#parts;
    const { clock, random, scrubber, faults } = ground;
    return {
      clock: {
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        schedule: (delayMs, callback) =>
          this.isDead ? () => undefined : clock.schedule(delayMs, () => this.enter(callback)),
      },
      createId: () => this.#parts.ground.createId(),
      createUuid: () => random.uuid(),
      random: () => random.next(),
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(random.next() * 256)),
      log: ground.log,
      scrub: (text) => scrubber.scrub(text),
      holdBack: (text) => scrubber.holdBack(text),
      faultPoint: (point) => {
        if (this.#life !== "runs") return;
        const fault = faults.takePoint(point);
        if (fault !== undefined) this.#parts.ground.trace.tell(() => `  ! ${fault} at ${point}`);
        if (fault === "crash") this.die();
        else if (fault === "pause") this.pause();
      },
    };
  }

  /** Nobody writes to the ravens where there is a server, or where there are magpies. */
  #createOther(): ChannelPlugin<unknown> {
    const { town, defect } = this.#parts;
    if (town.magpies !== undefined) return createMagpiePlugin(town, this);
    if (town.guild === undefined) return createRavenPlugin(town, this);
    return createDiscordPlugin({ town, platform: town.guild, guest: this, defect });
  }

  #buildOptions(): GatewayOptions {
    const { ground, town, defect, queue } = this.#parts;
    const ports = this.#buildPorts();
    const store: Store = defect.wrapStore?.(this.#handle, ground) ?? this.#handle;
    const plugins = [createPigeonPlugin(town, this), this.#createOther()].map(
      (plugin) => defect.wrapPlugin?.(plugin, ground) ?? plugin,
    );
    return {
      store,
      ports,
      agents: AGENTS,
      limits: LIMITS,
      ...(queue === undefined ? {} : { queue }),
      routes: {
        routes: [],
        defaultAgent: "main",
        scope: "per-sender",
        dmScope: "per-peer",
      },
      identityLinks: LINKS,
      channels: plugins.map((plugin) => ({ plugin, accounts: listAccounts(plugin.id, town.magpies) })),
      runtimes: { simulated: async () => createSimRuntime(ground, this, (label) => town.errandOf(label)) },
      server: { host: "127.0.0.1", port: 0, token: "no-server" },
      openServer: async () => ({
        port: 0,
        url: "http://nowhere",
        mount: () => () => undefined,
        close: async () => undefined,
      }),
      mostRunningTurns: ground.mostRunningTurns,
      version: "0",
    };
  }
}

function listAccounts(
  channel: string,
  settings: Partial<Record<string, DeliverySetting>> = {},
): GatewayOptions["channels"][number]["accounts"] {
  const names = new Set(
    KNOWN_PEOPLE.filter(({ account }) => account.startsWith(`${channel}/`)).map(
      ({ account }) => account.split("/")[1] ?? "",
    ),
  );
  const allowFrom = new Set(KNOWN_PEOPLE.map(({ id }) => id));
  return [...names].map((name) => ({
    name,
    config: {},
    ...(settings[`${channel}/${name}`] === undefined ? {} : { delivery: settings[`${channel}/${name}`] }),
    threads: { idleHours: THREAD_IDLE_HOURS },
    access: {
      // Ravens let nobody in that the operator has not named; pigeons give a code.
      dmPolicy: channel === "pigeon" ? "pairing" : "allowlist",
      allowFrom,
      groups: {
        policy: "allowlist",
        allow: ALLOWED_GROUPS,
        guilds: new Set(),
        requireMention: true,
      },
      catchUpMs: 0,
      isOperatorOnly: false,
    },
  }));
}
