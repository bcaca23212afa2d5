import {
  type ChannelConnection,
  type ChannelContext,
  ChannelError,
  type ChannelPlugin,
  type Log,
} from "@banyan/plugin-sdk";
import { inTime, LATE } from "../ports/in-time.ts";
import { pause } from "../ports/pause.ts";
import type { Ports } from "../ports/ports.ts";
import { type AccountStatus, formatAccountName } from "./account-status.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const CONNECT_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 10_000;

export interface AccountHostParts {
  readonly plugin: ChannelPlugin;
  readonly account: string;
  readonly ports: Ports;
  /** Everything of the context but what the host itself decides. */
  buildContext(own: Pick<ChannelContext<unknown>, "signal" | "report">): Promise<ChannelContext<unknown>>;
  onConnected(connection: ChannelConnection): void;
  onDisconnected(): void;
}

/** Why an attempt to connect ended; `isFinal` when another one cannot help. */
interface ConnectFailure {
  readonly error: ChannelError;
  readonly isFinal: boolean;
}

/** One account of a channel: connected, tried again while that can help, and closed in the end. */
export class AccountHost {
  readonly #parts: AccountHostParts;
  readonly #controller = new AbortController();
  #attempt: AbortController | undefined;
  #connection: ChannelConnection | undefined;
  #status: AccountStatus = { state: "connecting" };
  #firstSettled = Promise.withResolvers<void>();

  constructor(parts: AccountHostParts) {
    this.#parts = parts;
  }

  get status(): AccountStatus {
    return this.#status;
  }

  get connection(): ChannelConnection | undefined {
    return this.#connection;
  }

  /** Resolves when the account runs, or its first try has failed. Never rejects. */
  get settled(): Promise<void> {
    return this.#firstSettled.promise;
  }

  /** Connects, with backoff. Resolves when the account runs or has failed for good. */
  async start(): Promise<void> {
    const { ports } = this.#parts;
    for (let tries = 0; !this.#controller.signal.aborted; tries += 1) {
      const failure = await this.#connect();
      if (this.#controller.signal.aborted) break;
      if (failure === undefined) {
        this.#firstSettled.resolve();
        return;
      }
      const { error, isFinal } = failure;
      const waitMs = error.retryAfterMs ?? Math.min(FIRST_RETRY_MS * 2 ** tries, LONGEST_RETRY_MS);
      const sentence = ports.scrub(error.message);
      const detail = isFinal ? sentence : `${sentence}; tried again in ${Math.ceil(waitMs / 1000)} s`;
      this.#status = { state: "failed", detail };
      this.#log.error({ account: this.#name, detail }, "an account does not connect");
      this.#firstSettled.resolve();
      if (isFinal) return;
      await pause(ports.clock, waitMs, this.#controller.signal);
    }
    this.#firstSettled.resolve();
  }

  /** The platform refuses the account's credentials: it stops until the next start of the gateway. */
  fail(error: ChannelError): void {
    this.#report("failed", error);
  }

  /** Connects no more. What is connected stays so until `close`. */
  giveUpConnecting(): void {
    if (this.#connection !== undefined) return;
    this.#controller.abort();
    this.#attempt?.abort();
  }

  async close(): Promise<void> {
    this.#controller.abort();
    await this.#disconnect();
    this.#status = { state: "stopped" };
  }

  get #name(): string {
    return formatAccountName(this.#parts.plugin.id, this.#parts.account);
  }

  get #log(): Log {
    return this.#parts.ports.log;
  }

  async #connect(): Promise<ConnectFailure | undefined> {
    const { plugin, ports } = this.#parts;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const { signal } = attempt;
    const cancel = ports.clock.schedule(CONNECT_TIMEOUT_MS, () => attempt.abort());
    // What an attempt that was given up still says counts for nothing.
    let refusal: ChannelError | undefined;
    let hasReported = false;
    const report: ChannelContext<unknown>["report"] = (state, error) => {
      if (signal.aborted) return;
      hasReported = true;
      if (state !== "failed" || this.#connection !== undefined) this.#report(state, error);
      // The connect has not ended: this is how it ends.
      else {
        refusal = error ?? failedUnsaid(this.#name);
        attempt.abort();
      }
    };
    let connecting: Promise<ChannelConnection> | undefined;
    try {
      const context = await this.#parts.buildContext({ signal, report });
      connecting = plugin.connect(context);
      const connection = await Promise.race([connecting, rejectOnAbort(signal, this.#name)]);
      if (signal.aborted) throw givenUp(this.#name);
      checkAbilities(plugin, connection);
      this.#connection = connection;
      // What it says of itself meanwhile, such as that it is still trying, is nearer to the truth.
      if (!hasReported) this.#status = { state: "running" };
      this.#parts.onConnected(connection);
      return undefined;
    } catch (error) {
      attempt.abort();
      this.#parts.onDisconnected();
      // It may have connected all the same, or connect yet: what nobody uses is closed.
      connecting?.then((unused) => this.#close(unused)).catch(() => undefined);
      if (refusal !== undefined) return { error: refusal, isFinal: true };
      const failure = error instanceof ChannelError ? error : unexpected(this.#name, error);
      return { error: failure, isFinal: failure.class === "unauthorized" || failure.class === "permanent" };
    } finally {
      cancel();
    }
  }

  #report(state: "running" | "retrying" | "failed", error: ChannelError | undefined): void {
    if (this.#controller.signal.aborted || this.#status.state === "failed") return;
    // Anybody on this machine may ask for the status.
    const detail = error === undefined ? undefined : this.#parts.ports.scrub(error.message);
    this.#status = { state, ...(detail === undefined ? {} : { detail }) };
    if (state === "running") this.#log.info({ account: this.#name }, "an account runs again");
    else
      this.#log.warn(
        { account: this.#name, detail },
        state === "failed" ? "an account has failed" : "an account is retrying",
      );
    if (state === "failed") {
      void this.#disconnect();
    }
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#parts.onDisconnected();
    this.#attempt?.abort();
    if (connection !== undefined) await this.#close(connection);
  }

  async #close(connection: ChannelConnection): Promise<void> {
    try {
      const end = await inTime(connection.close(), CLOSE_TIMEOUT_MS, this.#parts.ports.clock);
      if (end === LATE) this.#log.error({ account: this.#name }, "a plugin does not close; it is left to itself");
    } catch (error) {
      this.#log.error({ err: error, account: this.#name }, "a plugin failed to close");
    }
  }
}

/** Flags and abilities must agree: a promise that the connection cannot keep is refused at once. */
function checkAbilities(plugin: ChannelPlugin, connection: ChannelConnection): void {
  for (const ability of ["threads", "edits"] as const) {
    if (plugin.capabilities[ability] === (connection[ability] !== undefined)) continue;
    const wrong = `capabilities.${ability} is ${plugin.capabilities[ability]}, but the connection says otherwise`;
    throw new ChannelError("permanent", `The plugin ${plugin.id} was connected: ${wrong}; make them agree`);
  }
}

function rejectOnAbort(signal: AbortSignal, name: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(givenUp(name));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

function givenUp(name: string): ChannelError {
  const message = `The account ${name} was connected: no end within ${CONNECT_TIMEOUT_MS / 1000} s`;
  return new ChannelError("ambiguous", message);
}

function failedUnsaid(name: string): ChannelError {
  return new ChannelError(
    "permanent",
    `The account ${name} was connected: its plugin reported a failure and no reason; update the plugin, or tell its author`,
  );
}

/** What is no `ChannelError` counts as ambiguous, so that it is tried again. */
function unexpected(name: string, error: unknown): ChannelError {
  const message = error instanceof Error ? error.message : String(error);
  return new ChannelError("ambiguous", `The account ${name} was connected: its plugin failed: ${message}`, {
    cause: error,
  });
}
