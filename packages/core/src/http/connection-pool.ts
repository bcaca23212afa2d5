import { Connection, type Exchange, type Origin } from "./connection.ts";

/** To one platform. Enough to hide a slow network; the rest waits. */
const MOST_CONNECTIONS = 512;
/** Servers close what stands idle for long, and a request may cross that. */
const IDLE_MS = 30_000;
const CLOSED = "the client was closed";

/**
 * Connections to one platform, kept for the next request; the one used last goes first, so that the others can end. Below
 * the ports: sockets live by the machine's time, whatever clock a gateway has.
 */
export class ConnectionPool {
  readonly #origin: Origin;
  readonly #all = new Set<Connection>();
  /** With the time until which each may be used; the one used last stands last. */
  #idle: { readonly connection: Connection; readonly untilMs: number }[] = [];
  readonly #waiting = new Set<Exchange>();
  #sweep: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** Sends it now, or as soon as a connection is free. */
  send(exchange: Exchange): void {
    const connection = this.#takeIdle() ?? this.#open();
    if (connection === undefined) this.#waiting.add(exchange);
    else connection.send(exchange);
  }

  /** Nobody waits for the answer any more: the connection under it ends, since the answer may still come. */
  giveUp(exchange: Exchange): void {
    if (!this.#waiting.delete(exchange)) exchange.connection?.destroy();
  }

  /** Calls under way fail. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#sweep);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const exchange of waiting) exchange.onFailure(CLOSED);
    for (const connection of [...this.#all]) connection.close(CLOSED);
  }

  #open(): Connection | undefined {
    if (this.#all.size >= MOST_CONNECTIONS) return undefined;
    const connection = new Connection(this.#origin, {
      onFree: (free) => this.#reuse(free),
      onGone: (gone) => this.#remove(gone),
    });
    this.#all.add(connection);
    return connection;
  }

  #takeIdle(): Connection | undefined {
    for (let newest = this.#idle.pop(); newest !== undefined; newest = this.#idle.pop()) {
      const { connection, untilMs } = newest;
      if (untilMs > performance.now()) {
        connection.setIdle(false);
        return connection;
      }
      connection.destroy();
    }
    return undefined;
  }

  #reuse(connection: Connection): void {
    const next = this.#takeWaiting();
    if (next !== undefined) {
      connection.send(next);
      return;
    }
    const keepMs = Math.min(IDLE_MS, connection.keepMs ?? IDLE_MS);
    if (this.#isClosed || keepMs === 0) {
      connection.destroy();
      return;
    }
    connection.setIdle(true);
    this.#idle.push({ connection, untilMs: performance.now() + keepMs });
    this.#sweep ??= setTimeout(() => this.#endIdle(), IDLE_MS).unref();
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection);
    this.#idle = this.#idle.filter((idle) => idle.connection !== connection);
    const next = this.#takeWaiting();
    if (next !== undefined) this.send(next);
  }

  #takeWaiting(): Exchange | undefined {
    const [next] = this.#waiting;
    if (next !== undefined) this.#waiting.delete(next);
    return next;
  }

  #endIdle(): void {
    this.#sweep = undefined;
    const now = performance.now();
    for (const { connection, untilMs } of [...this.#idle]) if (untilMs <= now) connection.destroy();
    if (this.#idle.length > 0) this.#sweep = setTimeout(() => this.#endIdle(), IDLE_MS).unref();
  }
}
