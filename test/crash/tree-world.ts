import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BanyanError } from "@banyan/core";
import type { StoreReads } from "@banyan/store";
import { GatewayLives } from "./gateway-lives.ts";
import type { KillPlan } from "./kill-plan.ts";
import type { TreeCall, TreeDoor, TreePlace } from "./tree-place.ts";
import { findTreeFaults, listTimersToCome, type TreeEnd } from "./tree-record.ts";

/** Over several lives, each of which takes a start. */
const PATIENCE_MS = 120_000;
const MARK = "(may be repeated)\n";
/** Where a plugin in the folder finds what it imports, as if it were installed there. */
const INSTALLED = new URL("../node_modules", import.meta.url).pathname;
const DOCS = { "a.md": "one", "b.md": "two words", "c.md": "and three more" } as const;

/** What people do, what they are told, and what is left of it. */
export interface TreeStory {
  readonly openPlace: () => Promise<TreePlace>;
  readonly agent: "demo" | "tree";
  /** More of the agent's configuration. */
  readonly rules?: object;
  /** Its processes' own waits are over so many times sooner, if other than usual. */
  readonly hurry?: number;
  /** Goes on over every death. */
  play(world: TreeWorld): Promise<void>;
  /** Each stands there once. */
  readonly hears: readonly RegExp[];
  /** May stand there, once. */
  readonly mayHear?: readonly RegExp[];
  readonly end: TreeEnd;
}

/** A folder, a place as witness, and the gateway processes between them, in which sub-agents work. */
export class TreeWorld {
  readonly lives: GatewayLives;
  readonly #story: TreeStory;
  readonly #place: TreePlace;
  #played: Promise<void> | undefined;
  #deaths = 0;

  private constructor(story: TreeStory, place: TreePlace, folder: string) {
    this.#story = story;
    this.#place = place;
    this.lives = new GatewayLives(folder, place.env, story.hurry);
  }

  static async open(story: TreeStory): Promise<TreeWorld> {
    const place = await story.openPlace();
    const folder = mkdtempSync(join(tmpdir(), "banyan-tree-"));
    symlinkSync(INSTALLED, join(folder, "node_modules"));
    mkdirSync(join(folder, "docs"));
    for (const [name, text] of Object.entries(DOCS)) writeFileSync(join(folder, "docs", name), text);
    for (const [name, text] of Object.entries(place.files)) writeFileSync(join(folder, name), text);
    const agents = { main: { runtime: story.agent, ...story.rules } };
    const config = { stateDir: "./state", server: { port: 0 }, log: { level: "warn" }, agents, ...place.config };
    writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
    return new TreeWorld(story, place, folder);
  }

  says(text: string, where?: string): Promise<void> {
    return this.#place.says(text, this.lives, where);
  }

  /** The chat gets another id at the moment that its place has chosen. */
  async moves(): Promise<void> {
    assert.ok(this.#place.moves !== undefined, "the place never moves");
    await this.#place.moves();
  }

  /** Presses the button of that label, in whichever process's life it is there. */
  async presses(label: string): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    while ((await this.#place.presses?.(label)) !== true) {
      assert.ok(Date.now() < due, await this.tell(`there is no button "${label}"`));
      await this.lives.pace();
    }
  }

  /** Resolves with the message when it stands in one of the chats, in whichever process's life. */
  async hears(text: RegExp): Promise<string> {
    const due = Date.now() + PATIENCE_MS;
    for (;;) {
      await this.lives.alive();
      const texts = await this.#place.texts(this.lives);
      const found = texts.find((known) => isText(known, text));
      if (found !== undefined) return found;
      assert.ok(Date.now() < due, await this.tell(`${text} is not heard`));
      await this.lives.pace();
    }
  }

  /** Resolves when the store holds it, in whichever process's life. */
  async finds<T>(what: string, ask: (read: StoreReads) => Promise<T | undefined>): Promise<T> {
    const due = Date.now() + PATIENCE_MS;
    for (;;) {
      await this.lives.alive();
      const found = await this.lives.read(ask);
      if (found !== undefined) return found;
      assert.ok(Date.now() < due, await this.tell(`${what} is not in the store`));
      await this.lives.pace();
    }
  }

  /** An operator's order, given again where a death has cut it off; it may have been carried out by then. */
  async orders(call: (stateDir: string) => Promise<unknown>): Promise<void> {
    for (let isAgain = false; ; isAgain = true) {
      await this.lives.alive();
      const { gateway } = this.lives;
      try {
        await call(this.lives.stateDir);
        return;
      } catch (error) {
        const isRefused = !(error instanceof BanyanError);
        if (isRefused && isAgain) return;
        assert.ok(!isRefused, await this.tell(`an order is refused: ${error}`));
        await gateway.ended();
      }
    }
  }

  /** A life that surely ends at the point. */
  async dies(plan: KillPlan): Promise<void> {
    void this.#begin();
    const gateway = await this.lives.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    this.#deaths += 1;
  }

  /** Nobody is there for so long. */
  async timePasses(ms: number): Promise<void> {
    this.lives.passTime(ms);
    await this.#place.passTime?.(ms);
  }

  /** A life that ends while the platform has taken a call and not answered yet, or as the door says. */
  async diesAtDoor(call: TreeCall, door?: TreeDoor): Promise<void> {
    const lost = await this.#place.lose?.(call, door);
    assert.ok(lost !== undefined, "the place loses no calls");
    void this.#begin();
    const gateway = await this.lives.start();
    await lost.taken();
    gateway.signal("SIGKILL");
    await gateway.died(call);
    this.#deaths += 1;
    await lost.end();
  }

  /** A life that ends at the point, or when everything is done. */
  async diesOrRests(plan: KillPlan): Promise<void> {
    const played = this.#begin();
    await this.lives.start(plan);
    const ended = this.lives.diedOrRested(async (signal) => {
      await played;
      await this.#rests(signal);
    });
    // A story that breaks off is told of at once.
    await Promise.race([ended, played.then(() => ended)]);
    this.#deaths += 1;
  }

  /** The last life: all comes to its end. */
  async checkComplete(): Promise<void> {
    const played = this.#begin();
    await this.lives.start();
    await played;
    for (const text of this.#story.hears) await this.hears(text);
    await this.#rests();
    await this.#checkTexts();
    await this.lives.stop();
    const faults = await findTreeFaults(this.lives, this.#story.end);
    const fault = await this.#place.findFault?.(this.lives);
    assert.deepEqual([...faults, ...(fault === undefined ? [] : [fault])], [], `in the store\n${this.lives.log}`);
  }

  async close(): Promise<void> {
    this.lives.kill();
    await this.#place.close();
    await this.#played?.catch(() => undefined);
    rmSync(this.lives.folder, { recursive: true, force: true });
  }

  #begin(): Promise<void> {
    if (this.#played === undefined) {
      this.#played = this.#story.play(this);
      // It is awaited when the deaths are over; a story that breaks off meanwhile is told of then.
      this.#played.catch(() => undefined);
    }
    return this.#played;
  }

  /** As well as nothing under way: nothing is due. */
  async #rests(signal?: AbortSignal): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    while (signal?.aborted !== true) {
      await this.lives.rests(signal);
      const timers = await listTimersToCome(this.lives, this.#story.end);
      if (timers.length === 0) return;
      assert.ok(Date.now() < due, await this.tell(`something is still due: ${timers}`));
      await this.lives.pace();
    }
  }

  async #checkTexts(): Promise<void> {
    const texts = await this.#place.texts(this.lives);
    const { hears, mayHear = [] } = this.#story;
    const wrong = [...hears, ...mayHear].filter((text) => {
      const copies = texts.filter((known) => isText(known, text));
      const unmarked = copies.filter((known) => !(this.#place.marksRepeats && known.startsWith(MARK)));
      return unmarked.length > 1 || (copies.length === 0 && hears.includes(text));
    });
    assert.deepEqual(wrong, [], await this.tell("missing, or repeated and not marked"));
    const others = texts.filter((known) => ![...hears, ...mayHear].some((text) => isText(known, text)));
    const { strays, leftovers } = this.#sortTraces(others);
    assert.deepEqual(strays, [], await this.tell("messages that nothing asked for"));
    assert.ok(
      leftovers <= this.#deaths,
      await this.tell(`${this.#deaths} deaths have left more than so many messages`),
    );
  }

  #sortTraces(texts: readonly string[]): { readonly strays: readonly string[]; readonly leftovers: number } {
    const { traces } = this.#place;
    if (traces === undefined) return { strays: texts, leftovers: 0 };
    const leftovers = texts.filter((text) => isText(text, traces.leftover));
    const calls = new Set(texts.filter((text) => traces.call.test(text)));
    const strays = texts.filter((text, index) => {
      const isCall = calls.has(text) && texts.indexOf(text) === index;
      return !isCall && !leftovers.includes(text);
    });
    return { strays, leftovers: leftovers.length };
  }

  async tell(what: string): Promise<string> {
    const isAlive = !this.lives.gateway.hasEnded;
    const texts = isAlive ? await this.#place.texts(this.lives) : [];
    return `${what}\nin the chats:\n${texts.map((text) => `  ${text}`).join("\n")}\nlog:\n${this.lives.log}`;
  }
}

function isText(known: string, text: RegExp): boolean {
  return text.test(known.startsWith(MARK) ? known.slice(MARK.length) : known);
}
