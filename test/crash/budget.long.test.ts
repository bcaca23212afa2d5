import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { WebPerson } from "../stage/web-person.ts";
import { GatewayLives } from "./gateway-lives.ts";
import type { KillPlan } from "./kill-plan.ts";

const TOKEN = "a-token-for-everybody";
/** Longer than a start beside others takes. */
const PATIENCE = { timeoutMs: 60_000 };

interface Death {
  readonly kill: KillPlan;
  /** What the attempt that died had written down, and what the next one has used. */
  readonly tokens: number;
}

test.for<Death>([
  // Nobody can know what was used by an attempt that wrote nothing.
  { kill: { point: "T2b.before", hit: 1 }, tokens: 500 },
  { kill: { point: "T2b.after", hit: 1 }, tokens: 800 },
  { kill: { point: "T3.before", hit: 1 }, tokens: 800 },
  { kill: { point: "T3.after", hit: 1 }, tokens: 500 },
])(
  "what a turn has written of its tokens counts once, also where the gateway is killed at $kill.point",
  async ({ kill, tokens }, { onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), "banyan-budget-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const budgets = { tokensPerSession: tokens, turnsPerSession: 3, reserveTokens: 400 };
    const agents = { main: { runtime: "tree", budgets } };
    const config = { stateDir: "./state", server: { port: 0, token: TOKEN }, log: { level: "warn" }, agents };
    writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
    const lives = new GatewayLives(folder, {});
    onTestFinished(() => lives.kill());
    await lives.start(kill);
    const ada = new WebPerson("ada", () => ({ url: lives.gateway.url, token: TOKEN }));
    onTestFinished(() => ada.leave());
    await ada.says("spend");
    await lives.gateway.died(kill.point);
    ada.leave();
    await lives.start();
    // The attempt behind the death is let in by the reserve, and gets as far as the budget goes: to its last token.
    await ada.hears(/^spent\s*$/, PATIENCE);
    await ada.says("/status");
    await ada.hears(new RegExp(`\\b${tokens} tokens`), PATIENCE);
    await ada.says("spend");
    await ada.hears(new RegExp(`The agent was not asked: this conversation has used ${tokens} of ${tokens} tokens`));
    await lives.gateway.stop();
  },
);
