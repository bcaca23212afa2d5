import type { BanyanError, Config, LogFile } from "@banyan/core";
import {
  checkLinkedWriters,
  createLog,
  createPorts,
  createSecretScrubber,
  Gateway,
  type GatewayChannel,
  type GatewayOptions,
  type LoadedConfig,
  openLogFile,
  type Ports,
  parseIdentityLinks,
  type SecretScrubber,
  scrubError,
} from "@banyan/core";
import type { AgentRuntime } from "@banyan/plugin-sdk";
import type { NewPairing, PairingRow, Store } from "@banyan/plugin-sdk/store";
import { readVersion } from "../read-version.ts";
import { type IdleChannel, loadChannels } from "./load-channels.ts";
import { loadGatewayConfig } from "./load-gateway-config.ts";
import { mountConsole } from "./mount-console.ts";
import { openStore } from "./open-store.ts";
import { createRouteCheck } from "./route-check.ts";
import { resolveServerToken } from "./server-token.ts";

/** More lines than anybody reads at a start. */
const MOST_SHOWN_PAIRINGS = 100;

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
  readonly onFailure?: (error: BanyanError) => void;
  /** Changes what the configuration's file says before it is judged. */
  readonly amendConfig?: (input: unknown) => unknown;
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
  const { configFile, cwd, env, runtimes = {}, signal, amendConfig: amend } = options;
  const loaded = await loadGatewayConfig({ configFile, cwd, env, runtimes: Object.keys(runtimes), amend });
  const { config } = loaded;
  const scrubber = createSecretScrubber(loaded.secrets);
  const logFile = openLog(config);
  const ports = openPorts(options, loaded, scrubber, logFile);
  options.onLoaded?.((text) => scrubber.scrub(text));
  let store: Store | undefined;
  try {
    const parts = await openParts(loaded, ports, options);
    store = parts.store;
    const { channels, idle } = parts;
    signal?.throwIfAborted();
    const token = config.server.token ?? resolveServerToken(config.stateDir);
    scrubber.add(token);
    const links = parseIdentityLinks(config.session.identityLinks);
    const checkRoutes = createRouteCheck(config, channels);
    checkRoutes(await store.read.routes());
    const pairings = await store.read.pairings({ states: ["pending"], limit: MOST_SHOWN_PAIRINGS });
    await checkLinkedWriters(store, links, Object.keys(config.agents));
    const version = readVersion();
    const gateway = new Gateway({
      store,
      ports,
      agents: config.agents,
      routes: {
        routes: config.routes,
        defaultAgent: config.defaultAgent,
        scope: config.session.scope,
        dmScope: config.session.dmScope,
      },
      identityLinks: links,
      channels,
      runtimes: { ...BUILT_IN_RUNTIMES, ...runtimes },
      server: { host: config.server.host, port: config.server.port, token },
      stateDir: config.stateDir,
      version,
      mountPages: (server) => {
        mountConsole(server);
        options.mountPages?.(server);
      },
      ...(logFile === undefined ? {} : { onStopped: () => logFile.close() }),
      checkRoutes,
      ...(options.onPairing === undefined ? {} : { onPairing: options.onPairing }),
      ...(options.onFailure === undefined ? {} : { onFailure: options.onFailure }),
    });
    const listening: ListeningGateway = { gateway, loaded, channels, idle, token, version };
    await startOrStop(gateway, () => options.onListening?.(listening), signal);
    const tookMs = performance.now() - begun;
    // For who reads the log later; on the terminal stands more.
    const opened = { level: 30, time: ports.clock.now(), version, pid: process.pid, tookMs: Math.round(tookMs) };
    logFile?.write(JSON.stringify({ ...opened, msg: "the gateway is open" }));
    return { ...listening, tookMs, pairings };
  } catch (error) {
    await store?.close();
    await logFile?.close();
    throw scrubError(error, (text) => scrubber.scrub(text));
  }
}

/** A log that cannot be kept is no reason not to start; the store, opened next, says what is wrong with the directory. */
function openLog({ stateDir, log }: Config): LogFile | undefined {
  if (!log.file || log.level === "silent") return undefined;
  return openLogFile(stateDir, { onError: (error) => process.emitWarning(`The log is not kept: ${error}`) });
}

function openPorts(
  options: OpenGatewayOptions,
  { config }: LoadedConfig,
  scrubber: SecretScrubber,
  logFile: LogFile | undefined,
): Ports {
  const { writeLog, isTerminal = false } = options;
  const pretty = config.log.pretty === "auto" ? isTerminal : config.log.pretty;
  const write = writeLog === undefined ? {} : { write: writeLog };
  const keep = logFile === undefined ? {} : { keep: (line: string) => logFile.write(line) };
  const log = createLog({ level: config.log.level, pretty, scrubber, ...write, ...keep });
  return createPorts({ log, scrub: (text) => scrubber.scrub(text), ...options.ports });
}

/** The store's threads start beside the import of the plugins: both take their time, and neither needs the other. */
async function openParts(loaded: LoadedConfig, ports: Ports, { faultPointModule }: OpenGatewayOptions) {
  const { log, clock } = ports;
  const [opened, loading] = await Promise.allSettled([
    openStore(loaded.config, { log, clock, faultPointModule }),
    loadChannels(loaded),
  ]);
  if (loading.status === "rejected") {
    if (opened.status === "fulfilled") await opened.value.close();
    throw loading.reason;
  }
  if (opened.status === "rejected") throw opened.reason;
  return { store: opened.value, ...loading.value };
}

const BUILT_IN_RUNTIMES: Readonly<Record<string, () => Promise<AgentRuntime>>> = {
  demo: async () => (await import("@banyan/runtime-demo")).createDemoRuntime(),
  echo: async () => (await import("@banyan/runtime-demo")).createEchoRuntime(),
};

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
