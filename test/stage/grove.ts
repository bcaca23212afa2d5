import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentRuntime } from "@banyan/plugin-sdk";
import { type OpenGateway, openGateway } from "banyan";
import { onTestFinished } from "vitest";
import { WebPerson } from "./web-person.ts";

export interface GroveOptions {
  /** What stands in `banyan.config.json`, beside a state directory of the test's own. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly runtimes?: Readonly<Record<string, () => Promise<AgentRuntime>>>;
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
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function openGrove(options: GroveOptions = {}): Promise<Grove> {
  const folder = mkdtempSync(join(tmpdir(), "banyan-grove-"));
  const stateDir = join(folder, "state");
  const log: string[] = [];
  for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify({ stateDir: "./state", server: { port: 0 }, ...options.config }));
  const start = () =>
    openGateway({ cwd: folder, env: options.env ?? {}, writeLog: (line) => log.push(line), runtimes: options.runtimes ?? {} });
  let open = await start();
  let isOpen = true;
  const people = new Map<string, WebPerson>();
  const stop = async () => {
    if (!isOpen) return;
    isOpen = false;
    for (const person of people.values()) person.leave();
    await open.gateway.stop();
  };
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
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
    async restart() {
      await stop();
      open = await start();
      isOpen = true;
    },
    stop,
  };
}
