import { test as base } from "vitest";
import { ACP_POINTS, ForeignWorld } from "./foreign-story.ts";
import type { KillPlan } from "./kill-plan.ts";

const test = base.extend<{ open: () => ForeignWorld }>({
  open: async ({ onTestFinished }, use) => {
    await use(() => {
      const world = new ForeignWorld(["--http", "--resume"]);
      onTestFinished(() => world.close());
      return world;
    });
  },
});

test.for(ACP_POINTS)(
  "a foreign agent's session is neither lost nor doubled by a death at $point ($hit)",
  async ({ point, hit }, { open, expect }) => {
    const world = open();
    const first = "say one;cost 1";
    await world.saysAndDies(first, { point, hit });
    await world.hears("one");
    await world.ada.says("recall");
    const told = await world.hears(/recall$/);
    expect(await world.answers()).toEqual(["one", told]);
    // One that nobody knows of was never told anything.
    expect(world.noted("new")).toHaveLength(point === "acp.before" && hit === 1 ? 2 : 1);
    expect(await world.readKept()).toBe(world.noted("new").at(-1));
    expect(told).toBe(point === "T3.before" ? `${first} / ${first} / recall` : `${first} / recall`);
    // The agent tells the same total again.
    expect(await world.readCost()).toEqual({ costUsd: 1, spentUsd: 1 });
    await world.stop();
  },
);

test.for<KillPlan>([
  { point: "T1a.after", hit: 1 },
  { point: "T1.before", hit: 1 },
  { point: "T1.after", hit: 1 },
  { point: "T2b.before", hit: 1 },
  { point: "T2b.after", hit: 1 },
])(
  "a foreign agent's call that spawns does so once, though the gateway dies at $point",
  async (kill, { open, expect }) => {
    const world = open();
    await world.saysAndDies('call sessions_spawn {"task":"say the leaf"};say told', kill);
    await world.hears(/told$/);
    await world.answers();
    const runs = (await world.readRuns()).filter(({ endedReason }) => endedReason !== "spawn-failed");
    expect(runs).toMatchObject([{ state: "ended", endedReason: "complete" }]);
    const prompts = world.noted("prompt").map((prompt) => JSON.stringify(prompt));
    expect(prompts.filter((prompt) => prompt.endsWith('"say the leaf"]'))).toHaveLength(1);
    await world.stop();
  },
);

const CUT = /was not finished: the agent was cut off while exec ran, which cannot be repeated/;

test.for<KillPlan & { readonly hears: RegExp; readonly ran: number }>([
  { point: "T2b.before", hit: 1, hears: /done$/, ran: 1 },
  { point: "T2b.after", hit: 1, hears: CUT, ran: 0 },
  { point: "T2b.before", hit: 2, hears: CUT, ran: 1 },
  { point: "T2b.after", hit: 2, hears: /done$/, ran: 1 },
])(
  "a foreign agent's program runs once at most, though the gateway dies at $point ($hit)",
  async ({ hears, ran, ...kill }, { open, expect }) => {
    const world = open();
    await world.saysAndDies('call exec {"argv":["node","program.cjs"]};say done', kill);
    await world.hears(hears);
    await world.answers();
    expect(world.ran).toBe(ran);
    await world.stop();
  },
);

test.for<KillPlan>([
  { point: "T1.before", hit: 1 },
  { point: "T1.after", hit: 1 },
  { point: "acp.after", hit: 2 },
])(
  "a session that a spawn goes on in has one conversation, though the gateway dies at $point ($hit)",
  async (kill, { open, expect }) => {
    const world = open();
    await world.start();
    await world.ada.says('call sessions_spawn {"task":"say first"};say told');
    await world.hears(/told$/);
    await world.answers();
    const [, id] = world.noted("new");
    const args = JSON.stringify({ task: "recall", runtime: "acp", resumeSessionId: id });
    await world.saysAndDies(`call sessions_spawn ${args};say again`, kill);
    await world.hears(/again$/);
    await world.answers();
    const runs = (await world.readRuns()).filter(({ endedReason }) => endedReason !== "spawn-failed");
    expect(runs).toHaveLength(2);
    const kept = await Promise.all(runs.map((run) => world.readKept(run.childSessionKey)));
    expect(kept).toEqual([undefined, id]);
    expect(JSON.parse(runs[1]?.result ?? "{}")).toMatchObject({ outcome: "done", result: "say first / recall" });
    expect(world.noted("new")).toHaveLength(2);
    await world.stop();
  },
);
