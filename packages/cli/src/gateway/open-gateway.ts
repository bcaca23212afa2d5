import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import {
  BanyanError,
  type Config,
  checkLinkedWriters,
  createPorts,
  createSecretScrubber,
  Gateway,
  type GatewayChannel,
  type GatewayOptions,
  type LoadedConfig,
  listSecretFiles,
  type Ports,
  parseIdentityLinks,
} from "@banyan/core";
import type { AgentRuntime } from "@banyan/plugin-sdk";
import type { NewPairing, PairingRow, Store } from "@banyan/store";
import { readVersion } from "../read-version.ts";
import { scrubError } from "../scrub-error.ts";
import { createBuiltInRuntimes } from "./built-in-runtimes.ts";
import { refuseUnfitForeignAgents } from "./foreign-agent-check.ts";
import { type GatewayLog, openGatewayLog } from "./gateway-log.ts";
import { createHostCode } from "./host-code.ts";
import { type IdleChannel, type LoadedChannels, loadChannels } from "./load-channels.ts";
import { loadGatewayConfig } from "./load-gateway-config.ts";
import { mountConsole } from "./mount-console.ts";
import { openStore } from "./open-store.ts";
import { createReaderList, createRouteCheck } from "./route-check.ts";
import { resolveServerToken } from "./server-token.ts";

/** More lines than anybody reads at a start. */
const MOST_SHOWN_PAIRINGS = 100;

/** A start opens about twenty: database, threads, sockets, modules. The rest is for the first conversations. */
const MIN_FREE_FILES = 32;

export interface OpenGatewayOptions {
  /** What `--config` names. */
  readonly configFile?: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes one log line. Default: standard error. */
  readonly writeLog?: ((line: string) => void) | undefined;
  /** Readable log lines where the configuration says `auto`. */
  readonly isTerminal?: boolean;
  /** Further runtimes of an embedding program, by id. */
  readonly runtimes?: Readonly<Record<string, () => Promise<AgentRuntime>>>;
  readonly ports?: Partial<Ports>;
  /** A module with a fault point for the store's threads. */
  readonly faultPointModule?: string;
  /** Starts empty where the store was lost. Refused where it was not lost. */
  readonly newStore?: boolean;
  readonly onFailure?: (error: BanyanError) => void;
  /** Changes what the configuration's file says before it is judged. */
  readonly amendConfig?: (input: unknown) => unknown;
  /** Its chats are the operator's own play: what a start refuses of public ones is left to each turn. */
  readonly isRehearsal?: boolean;
  /** It ends with the command that opened it: other chats that use it may open it again. */
  readonly isTemporary?: boolean;
  /** Pages beside the console's. */
  readonly mountPages?: GatewayOptions["mountPages"];
  /** A stranger was given a code, which waits for the operator. */
  readonly onPairing?: (pairing: NewPairing) => void;
  /** Called once when the web chat serves, while accounts of other platforms may still connect. */
  readonly onListening?: (listening: ListeningGateway) => void;
  /** Called once the configuration is read, before any plugin is loaded: takes registered secrets out of a text. */
  readonly onLoaded?: (scrub: (text: string) => string) => void;
  /** Gives the opening up: what was opened is closed, and the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ListeningGateway {
  readonly gateway: Gateway;
  readonly loaded: LoadedConfig;
  readonly channels: readonly GatewayChannel[];
  readonly idle: readonly IdleChannel[];
  /** The operator's bearer. */
  readonly token: string;
  readonly version: string;
}

export interface OpenGateway extends ListeningGateway {
  /** Milliseconds from the call to an open gateway. */
  readonly tookMs: number;
  /** Strangers whose codes waited before the start; those after it are told by `onPairing`. */
  readonly pairings: readonly PairingRow[];
}

/**
 * Reads the configuration, opens store and gateway, and starts; resolves when each account runs or its first try has
 * failed. What was opened is closed again when a step fails.
 */
export async function openGateway(options: OpenGatewayOptions): Promise<OpenGateway> {
  const begun = performance.now();
  checkOpenFiles();
  const { configFile, cwd, env, runtimes = {}, amendConfig: amend, writeLog, isTerminal = false } = options;
  const loaded = await loadGatewayConfig({ configFile, cwd, env, runtimes: Object.keys(runtimes), amend });
  const scrubber = createSecretScrubber(loaded.secrets);
  const log = openGatewayLog(loaded.config, { scrubber, writeLog, isTerminal });
  const scrub = (text: string) => scrubber.scrub(text);
  const holdBack = (text: string) => scrubber.holdBack(text);
  const ports = createPorts({ log: log.log, scrub, holdBack, ...options.ports });
  options.onLoaded?.(scrub);
  let parts: OpenParts | undefined;
  try {
    parts = await openParts(loaded, ports, options);
    log.tellTrouble();
    options.signal?.throwIfAborted();
    const token = loaded.config.server.token ?? resolveServerToken(loaded.config.stateDir);
    scrubber.add(token);
    const version = readVersion();
    if (!options.isRehearsal) await refuseUnfitForeignAgents(loaded.config, parts.channels, env);
    const { pairings, ...checks } = await checkStored(loaded.config, parts);
    const { channels, idle } = parts;
    const listReadOnlyPaths = await createHostCode(loaded, env);
    const makings = { ...parts, ...checks, listReadOnlyPaths, ports, token, version, log };
    const gateway = buildGateway(loaded, makings, options);
    const listening: ListeningGateway = { gateway, loaded, channels, idle, token, version };
    await startOrStop(gateway, () => options.onListening?.(listening), options.signal);
    const tookMs = performance.now() - begun;
    log.note({ version, pid: process.pid, tookMs: Math.round(tookMs) }, "the gateway is open");
    return { ...listening, tookMs, pairings };
  } catch (error) {
    await parts?.store.close();
    await log.close();
    throw scrubError(error, scrub);
  }
}

/** Refuses a configuration that would show what is stored to somebody else. */
async function checkStored(config: Config, { store, channels }: OpenParts) {
  const identityLinks = parseIdentityLinks(config.session.identityLinks);
  const checkRoutes = createRouteCheck(config, channels, store.read);
  await checkRoutes(await store.read.routes());
  const pairings = await store.read.pairings({ states: ["pending"], limit: MOST_SHOWN_PAIRINGS });
  await checkLinkedWriters(store, identityLinks, Object.keys(config.agents));
  return { identityLinks, checkRoutes, pairings };
}

interface GatewayMakings
  extends OpenParts,
    Pick<GatewayOptions, "identityLinks" | "listReadOnlyPaths" | "ports" | "version"> {
  readonly checkRoutes: NonNullable<GatewayOptions["checkRoutes"]>;
  readonly token: string;
  readonly log: GatewayLog;
}

function buildGateway(loaded: LoadedConfig, makings: GatewayMakings, options: OpenGatewayOptions): Gateway {
  const { config, folder } = loaded;
  const { store, channels, toolPlugins, ports, identityLinks, checkRoutes, token, version, log } = makings;
  const { listReadOnlyPaths } = makings;
  const { runtimes, onPairing, onFailure, mountPages, isTemporary = false } = options;
  const routes = {
    routes: config.routes,
    defaultAgent: config.defaultAgent,
    scope: config.session.scope,
    dmScope: config.session.dmScope,
  };
  const mountPage = mountConsole({
    read: store.read,
    routes,
    identityLinks,
    findLiveNote: (run) => gateway.findLiveNote(run),
    now: () => ports.clock.now(),
  });
  const gateway: Gateway = new Gateway({
    store,
    ports,
    agents: config.agents,
    limits: config.limits,
    queue: config.queue,
    threads: config.threads,
    sessionTools: { visibility: config.tools.sessions.visibility, agentToAgent: config.tools.agentToAgent },
    attachments: config.tools.attachments,
    prices: config.prices,
    loadPrices: async () => (await import("../prices/load-genai-prices.ts")).loadGenaiPrices(folder),
    routes,
    identityLinks,
    channels,
    runtimes: { ...createBuiltInRuntimes(config, { env: options.env, version }), ...runtimes },
    server: { host: config.server.host, port: config.server.port, token },
    stateDir: config.stateDir,
    toolPlugins,
    hiddenPaths: listSecretFiles(loaded),
    ...(listReadOnlyPaths === undefined ? {} : { listReadOnlyPaths }),
    processEnv: options.env,
    version,
    isTemporary,
    mountPages: (server) => {
      mountPage(server);
      mountPages?.(server);
    },
    checkRoutes,
    listSharedReaders: createReaderList(config, channels),
    onStopped: () => log.close(),
    ...(onPairing === undefined ? {} : { onPairing }),
    ...(onFailure === undefined ? {} : { onFailure }),
  });
  return gateway;
}

interface OpenParts extends LoadedChannels {
  readonly store: Store;
}

/** The store's threads start beside the import of the plugins: both take their time, and neither needs the other. */
async function openParts(
  loaded: LoadedConfig,
  ports: Ports,
  { faultPointModule, newStore }: OpenGatewayOptions,
): Promise<OpenParts> {
  const { log, clock } = ports;
  const [opened, loading] = await Promise.allSettled([
    openStore(loaded.config, { log, clock, faultPointModule, newStore }),
    loadChannels(loaded),
  ]);
  if (loading.status === "rejected") {
    if (opened.status === "fulfilled") await opened.value.close();
    throw loading.reason;
  }
  if (opened.status === "rejected") throw opened.reason;
  return { store: opened.value, ...loading.value };
}

async function startOrStop(gateway: Gateway, onListening: () => void, signal: AbortSignal | undefined): Promise<void> {
  const giveUp = () => void gateway.stop();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    signal?.throwIfAborted();
    await gateway.start({ onListening });
    signal?.throwIfAborted();
  } catch (error) {
    await gateway.stop();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

/**
 * Refuses to open a gateway where the process may open too few files: it would fail later, in another place each time.
 * Throws `too_few_files`.
 */
function checkOpenFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < MIN_FREE_FILES) opened.push(openSync(devNull, "r"));
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && (cause.code === "EMFILE" || cause.code === "ENFILE")))
      throw cause;
    throw new BanyanError(
      "too_few_files",
      `Opening the gateway: it needs ${MIN_FREE_FILES} more open files and may have ${opened.length}; raise the limit (for example ulimit -n 1024) and start again`,
      { cause },
    );
  } finally {
    for (const file of opened) closeSync(file);
  }
}
