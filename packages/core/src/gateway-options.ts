import type { AgentRuntime, ChannelPlugin } from "@banyan/plugin-sdk";
import type { NewPairing, RouteSnapshot, Store } from "@banyan/store";
import type { PriceSource } from "./budgets/price-book.ts";
import type { AgentConfig, AttachmentsConfig, LimitsConfig, ThreadsConfig } from "./config/config.ts";
import type { DeliverySetting } from "./config/shapes/delivery-setting.ts";
import type { PricesConfig } from "./config/shapes/price-config.ts";
import type { QueueConfig } from "./config/shapes/queue-config.ts";
import type { SessionToolsInput } from "./config/shapes/session-tools-config.ts";
import type { SharedReaders } from "./config/shapes/shared-readers.ts";
import type { Server, ServerOptions } from "./http/server.ts";
import type { AccessPolicy } from "./inbound/access.ts";
import type { RouteCheck } from "./inbound/links.ts";
import type { RouteTable } from "./inbound/route.ts";
import type { BanyanError } from "./ports/errors.ts";
import type { Ports } from "./ports/ports.ts";
import type { IdentityLinks } from "./sessions/keys/identity-links.ts";
import type { LoadedToolPlugin } from "./tools/registry.ts";

/** One account as the gateway opens it. */
export interface GatewayAccount {
  readonly name: string;
  /** What the plugin's schema gave. */
  readonly config: unknown;
  readonly access: AccessPolicy;
  /** What is absent is the gateway's. */
  readonly threads?: Partial<ThreadsConfig>;
  /** Absent: the best that the channel can do. */
  readonly delivery?: DeliverySetting;
}

export interface GatewayChannel {
  readonly plugin: ChannelPlugin;
  readonly accounts: readonly GatewayAccount[];
}

/** Everything a gateway is made of. Two gateways with their own stores can live in one process. */
export interface GatewayOptions {
  readonly store: Store;
  readonly ports: Ports;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly routes: RouteTable;
  /** What is absent has its default. */
  readonly limits?: Partial<LimitsConfig>;
  /** What a message does that arrives during a turn. What is absent has its default. */
  readonly queue?: Partial<QueueConfig>;
  /** What is absent has its default. */
  readonly threads?: Partial<ThreadsConfig>;
  /** Which sessions agents reach. What is absent has its default: those of their tree. */
  readonly sessionTools?: SessionToolsInput;
  /** How much agents may fetch of the files that people send. What is absent has its default. */
  readonly attachments?: Partial<AttachmentsConfig>;
  /** What models cost. Absent: nothing is known of that. */
  readonly prices?: PricesConfig;
  /** Asked for the prices of other models, once it is needed. */
  readonly loadPrices?: () => Promise<PriceSource | undefined>;
  /** The configuration's own; those that people made stand in the store. */
  readonly identityLinks: IdentityLinks;
  readonly channels: readonly GatewayChannel[];
  /** By id; made on first need. */
  readonly runtimes: Readonly<Record<string, () => Promise<AgentRuntime>>>;
  readonly server: { readonly host: string; readonly port: number; readonly token: string };
  /** Stands in for the HTTP server, where the embedding program has one of its own or serves nothing. */
  readonly openServer?: (options: ServerOptions) => Promise<Server>;
  /** Where the control socket stands and what no tool may read. Absent: no control socket. */
  readonly stateDir?: string;
  /** What third parties offer to agents. */
  readonly toolPlugins?: readonly LoadedToolPlugin[];
  /** Absolute: files and folders that no tool may show or touch, beside the state directory. */
  readonly hiddenPaths?: readonly string[];
  /**
   * Lists the code that the host runs, such as the configuration. Absolute: tools may read it and never write it, and
   * no program runs in a workspace that holds a part of it. Called for each tool call that may write.
   */
  readonly listReadOnlyPaths?: () => readonly string[];
  /** This process's environment; programs that agents start get a little of it, by an allow-list. */
  readonly processEnv?: Readonly<Record<string, string | undefined>>;
  /** Turns under way at once, without those of sub-agents; beyond it sessions take turns. Default 1,000. */
  readonly mostRunningTurns?: number;
  readonly version: string;
  /** It ends with the command that opened it, so another command may open it again. Default: no. */
  readonly isTemporary?: boolean;
  /** Pages beside the channels' own paths. */
  readonly mountPages?: (server: Pick<Server, "mount">) => void;
  /** Called last in `stop`, for what the embedding program opened for the gateway. */
  readonly onStopped?: () => Promise<void>;
  /**
   * Asked before each change of who is let in or who is whom, with what would stand then. Rejects with a `BanyanError`
   * where the configuration forbids it.
   */
  readonly checkRoutes?: RouteCheck;
  /** Who reads in the sessions that direct chats share. Absent: nobody's writing may be moved there unasked. */
  readonly listSharedReaders?: (routes: RouteSnapshot) => readonly SharedReaders[];
  /** A stranger was given a code, which waits for the operator. */
  readonly onPairing?: (pairing: NewPairing) => void;
  /** The store can no longer commit: the embedding program ends. */
  readonly onFailure?: (error: BanyanError) => void;
}

/** What a gateway holds in memory for work that is not done; all zero when it is at rest. */
export interface GatewayLoad {
  readonly turns: number;
  /** That run, or are ready to. */
  readonly lanes: number;
  /** Lanes whose commands run or wait. */
  readonly commands: number;
  /** Chats that send, or wait for their time. */
  readonly chats: number;
}

export interface StartOptions {
  /**
   * Called once when the server listens and all is up but the accounts of other platforms: these may take a minute.
   * The operator's own channels serve by then.
   */
  readonly onListening?: (() => void) | undefined;
}
