import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Address, ChannelError, formatAddress, parseAddress, type ThreadsAbility } from "@banyan/plugin-sdk";

export type PlatformMood = "well" | "refuses" | "loses" | "hangs";
export type DiskMood = "well" | "file" | "link" | "gone";

/** What stands outside the processes of a spawn and outlives them: the platform's threads, and the disk. */
export class SpawnGround {
  readonly workspace: string;
  /** Open threads, by the binding that they were opened for. */
  readonly threads: Map<string, "open" | "archived" | "gone"> = new Map<string, "open" | "archived" | "gone">();
  mood: PlatformMood = "well";
  readonly #outside: string;
  readonly #aside: string;
  readonly #stand = new Map<Address, string>();

  constructor() {
    this.workspace = realpathSync(mkdtempSync(join(tmpdir(), "banyan-spawn-")));
    this.#outside = realpathSync(mkdtempSync(join(tmpdir(), "banyan-outside-")));
    this.#aside = realpathSync(mkdtempSync(join(tmpdir(), "banyan-aside-")));
  }

  close(): void {
    for (const folder of [this.workspace, this.#outside, this.#aside]) rmSync(folder, { recursive: true, force: true });
  }

  /** The threads as a process has them; one that is dead hears nothing and has no effect. */
  connect(isDead: () => boolean, onDead: () => Promise<never>): ThreadsAbility {
    const act = async (apply: () => void, canFail = false): Promise<void> => {
      if (isDead()) await onDead();
      if (canFail && this.mood === "refuses") throw new ChannelError("permanent", "The platform forbids it");
      apply();
      if (canFail && this.mood === "loses") throw new ChannelError("ambiguous", "The platform gave no answer");
      if (canFail && this.mood === "hangs") await new Promise<never>(() => undefined);
    };
    return {
      open: async ({ bindingId, parent }) => {
        const address = formatAddress({ ...parseAddress(parent), thread: bindingId.slice(0, 8) });
        await act(() => {
          this.#stand.set(address, bindingId);
          this.threads.set(bindingId, "open");
        }, true);
        return { address };
      },
      withdraw: ({ bindingId }) => act(() => void (this.threads.has(bindingId) && this.threads.set(bindingId, "gone"))),
      archive: ({ address }) => act(() => void this.threads.set(this.#stand.get(address) ?? "", "archived")),
      probe: async (address) => this.threads.get(this.#stand.get(address) ?? "") ?? "gone",
    };
  }

  /** Something is in the way of the files. */
  spoil(mood: DiskMood): void {
    const host = join(this.workspace, ".banyan");
    rmSync(host, { recursive: true, force: true });
    if (mood === "file") writeFileSync(host, "a file of the same name");
    if (mood === "link") symlinkSync(this.#outside, host);
    if (mood === "gone") rmSync(this.workspace, { recursive: true, force: true });
  }

  /** Folders of files that were given to sub-agents, and whatever was written outside. */
  get files(): readonly string[] {
    const host = join(this.workspace, ".banyan");
    const own = existsSync(host) && !this.#isSpoilt(host) ? readdirSync(host) : [];
    return [...own, ...readdirSync(this.#outside).map((name) => `outside/${name}`)];
  }

  /** Until the disk has done what it was asked for, however long it takes for that. */
  async breathe(): Promise<void> {
    const file = await open(join(this.#aside, "breath"), "w");
    await file.sync();
    await file.close();
    while (process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))) await setImmediate();
  }

  get openThreads(): readonly string[] {
    return [...this.threads].flatMap(([bindingId, state]) => (state === "open" ? [bindingId] : []));
  }

  #isSpoilt(host: string): boolean {
    return readdirSync(this.workspace, { withFileTypes: true }).some(
      (entry) => join(this.workspace, entry.name) === host && !entry.isDirectory(),
    );
  }
}
