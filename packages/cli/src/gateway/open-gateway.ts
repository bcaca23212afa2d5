import type { BanyanError } from "@banyan/core";
import {
  checkLinkedWriters,
  createLog,
  createPorts,
  createSecretScrubber,
  Gateway,
  type GatewayChannel,
  type LoadedConfig,
  type Ports,
  parseIdentityLinks,
  refuseSharedDm,
  type SecretScrubber,
} from "@banyan/core";
import type { AgentRuntime } from "@banyan/plugin-sdk";
import { readVersion } from "../read-version.ts";
import { scrubError } from "../scrub-error.ts";
import { type IdleChannel, type LoadedChannels, loadChannels } from "./load-channels.ts";
import { loadGatewayConfig } from "./load-gateway-config.ts";
import { mountConsole } from "./mount-console.ts";
import { openStore } from "./open-store.ts";
import { resolveServerToken } from "./server-token.ts";

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
}

/**
 * Reads the configuration, opens store and gateway, and starts; resolves when each account runs or its first try has
 * failed. What was opened is closed again when a step fails.
 */
export async function openGateway(options: OpenGatewayOptions): Promise<OpenGateway> {
  const begun = performance.now();
  const { configFile, cwd, env, runtimes = {}, signal } = options;
  const loaded = await loadGatewayConfig({ configFile, cwd, env, runtimes: Object.keys(runtimes) });
  const { config } = loaded;
  const scrubber = createSecretScrubber(loaded.secrets);
  const ports = openPorts(options, loaded, scrubber);
  options.onLoaded?.((text) => scrubber.scrub(text));
  const { store, channels, idle } = await openParts(loaded, ports, options).catch((error: unknown) => {
    throw scrubError(error, (text) => scrubber.scrub(text));
  });
  try {
    signal?.throwIfAborted();
    const token = config.server.token ?? resolveServerToken(config.stateDir);
    scrubber.add(token);
    const links = parseIdentityLinks(config.session.identityLinks);
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
        links,
      },
      channels,
      runtimes: { ...BUILT_IN_RUNTIMES, ...runtimes },
      server: { host: config.server.host, port: config.server.port, token },
      stateDir: config.stateDir,
      version,
      mountPages: mountConsole,
      ...(options.onFailure === undefined ? {} : { onFailure: options.onFailure }),
    });
    const listening: ListeningGateway = { gateway, loaded, channels, idle, token, version };
    await startOrStop(gateway, () => options.onListening?.(listening), signal);
    return { ...listening, tookMs: performance.now() - begun };
  } catch (error) {
    await store.close();
    throw scrubError(error, (text) => scrubber.scrub(text));
  }
}

function openPorts(options: OpenGatewayOptions, { config }: LoadedConfig, scrubber: SecretScrubber): Ports {
  const { writeLog, isTerminal = false } = options;
  const pretty = config.log.pretty === "auto" ? isTerminal : config.log.pretty;
  const write = writeLog === undefined ? {} : { write: writeLog };
  const log = createLog({ level: config.log.level, pretty, scrubber, ...write });
  return createPorts({ log, scrub: (text) => scrubber.scrub(text), ...options.ports });
}

/** The store's threads start beside the import of the plugins: both take their time, and neither needs the other. */
async function openParts(loaded: LoadedConfig, ports: Ports, { faultPointModule }: OpenGatewayOptions) {
  const { log, clock } = ports;
  const [opened, loading] = await Promise.allSettled([
    openStore(loaded.config, { log, clock, faultPointModule }),
    openChannels(loaded),
  ]);
  if (loading.status === "rejected") {
    if (opened.status === "fulfilled") await opened.value.close();
    throw loading.reason;
  }
  if (opened.status === "rejected") throw opened.reason;
  return { store: opened.value, ...loading.value };
}

async function openChannels(loaded: LoadedConfig): Promise<LoadedChannels> {
  const channels = await loadChannels(loaded);
  const operatorOnly = channels.channels.filter(({ plugin }) => plugin.capabilities.isOperatorOnly);
  refuseSharedDm(
    loaded.config,
    operatorOnly.map(({ plugin }) => plugin.id),
  );
  return channels;
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
