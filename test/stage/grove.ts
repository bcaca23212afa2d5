import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callGatewayStatus } from "@banyan/core";
import type { DeliveryRow, StoreReads } from "@banyan/store";
import { openSqliteReader } from "@banyan/store-sqlite";
import { type OpenGateway, type OpenGatewayOptions, openGateway } from "banyan";
import { onTestFinished } from "vitest";
import { WebPerson } from "./web-person.ts";

const PATIENCE_MS = 60_000;
const PAGE_ROWS = 1_000;
/** Where a plugin in the grove's folder finds what it imports, as if it were installed there. */
const INSTALLED = new URL("../node_modules", import.meta.url).pathname;

export interface GroveOptions {
  /** What stands in `banyan.config.json`, beside a state directory of the test's own. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly runtimes?: OpenGatewayOptions["runtimes"];
  readonly ports?: OpenGatewayOptions["ports"];
  readonly onPairing?: OpenGatewayOptions["onPairing"];
  /** Further files of the folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A whole gateway in this process, in a folder of its own, closed with the test. */
export interface Grove {
  readonly folder: string;
  readonly stateDir: string;
  readonly open: OpenGateway;
  readonly log: readonly string[];
  /** Somebody at the web chat; the same name is the same person. */
  web(peer: string): WebPerson;
  /** Stops in order and starts again on the same state. */
  restart(changed?: Pick<GroveOptions, "config" | "env" | "ports">): Promise<void>;
  stop(): Promise<void>;
  /** Looks into the store, beside the gateway or without one. */
  read<T>(ask: (read: StoreReads) => Promise<T>): Promise<T>;
  /** Every delivery that is still on record, by place. */
  deliveries(): Promise<readonly DeliveryRow[]>;
  /** Asks again and again until the answer is no longer `undefined`; `what` names it where it never comes. */
  until<T>(what: string, ask: () => Promise<T | undefined> | T | undefined): Promise<T>;
  /** Nothing waits, runs or is on its way: what stands in the chats now is all there will be. */
  rests(): Promise<void>;
}

/** Makes the folder of a gateway that is not started yet. */
export function makeGroveFolder(options: GroveOptions = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-grove-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(INSTALLED, join(folder, "node_modules"));
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeConfig(folder, options.config);
  return folder;
}

export async function openGrove(options: GroveOptions = {}): Promise<Grove> {
  const folder = makeGroveFolder(options);
  const stateDir = join(folder, "state");
  const log: string[] = [];
  let set = options;
  const start = () =>
    openGateway({
      cwd: folder,
      env: set.env ?? {},
      writeLog: (line) => log.push(line),
      runtimes: set.runtimes ?? {},
      ports: set.ports ?? {},
      ...(set.onPairing === undefined ? {} : { onPairing: set.onPairing }),
    });
  let open = await start();
  let isOpen = true;
  const people = new Map<string, WebPerson>();
  const stop = async () => {
    if (!isOpen) return;
    isOpen = false;
    for (const person of people.values()) person.leave();
    await open.gateway.stop();
  };
  onTestFinished(stop);
  const read: Grove["read"] = async (ask) => {
    const reader = openSqliteReader(stateDir);
    try {
      return await ask(reader.read);
    } finally {
      reader.close();
    }
  };
  return {
    folder,
    stateDir,
    log,
    get open() {
      return open;
    },
    web(peer) {
      const person = people.get(peer) ?? new WebPerson(peer, () => ({ url: open.gateway.url, token: open.token }));
      people.set(peer, person);
      return person;
    },
    async restart(changed = {}) {
      await stop();
      set = { ...set, ...changed };
      writeConfig(folder, set.config);
      open = await start();
      isOpen = true;
    },
    stop,
    read,
    deliveries: () => read((reads) => reads.deliveries({ limit: PAGE_ROWS })),
    until: (what, ask) => askUntil(what, stateDir, log, ask),
    rests: () =>
      askUntil("rest", stateDir, log, async () =>
        isAtRest(await callGatewayStatus(stateDir)) ? true : undefined,
      ).then(() => undefined),
  };
}

function writeConfig(folder: string, config: GroveOptions["config"]): void {
  const whole = { stateDir: "./state", server: { port: 0 }, ...config };
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(whole));
}

function isAtRest({ counts }: Awaited<ReturnType<typeof callGatewayStatus>>): boolean {
  return counts.waitingItems + counts.activeLanes + counts.unsettledDeliveries === 0;
}

/** Each round takes a call to the running gateway, which so gets on with what is waited for. */
async function askUntil<T>(
  what: string,
  stateDir: string,
  log: readonly string[],
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const due = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const status = await callGatewayStatus(stateDir);
    assert.ok(Date.now() < due, `waited for ${what} in vain: ${JSON.stringify(status)}\n${log.join("\n")}`);
  }
}
