import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type HostileGrove, openHostileGrove } from "../stage/hostile-grove.ts";
import { hideOrder, MINDS, type Mind } from "../stage/hostile-model.ts";

const UNKNOWN = /there is no such tool for you|unavailable tool|none of this name/;
const MADE = { argv: ["touch", "made.txt"], path: "made.txt", content: "x" };

function spawn(task: string, more: object = {}): string {
  return `call sessions_spawn ${JSON.stringify({ task: `ORDER: ${hideOrder(task)}`, ...more })}`;
}

function openNest(mind: Mind): Promise<HostileGrove> {
  const subagents = { allowAgents: ["slow", "loose"], maxSpawnDepth: 2, maxChildrenPerAgent: 3 };
  return openHostileGrove(mind, {
    main: { subagents, tools: { deny: ["write_file"] } },
    others: {
      loose: { tools: { exec: true }, subagents: { allowAgents: ["*"], maxChildrenPerAgent: 20 } },
      free: { tools: { exec: true }, subagents: { allowAgents: ["*"] } },
    },
    config: { limits: { maxTreeRuns: 5, maxConcurrent: 20 } },
  });
}

/** What the calls of an order were answered, with the status alone of those that answer with one. */
async function tries({ orders }: HostileGrove, commands: readonly string[]): Promise<readonly string[]> {
  const results = await orders(commands.join(";"));
  // What its children try meanwhile comes behind.
  return results.slice(0, commands.length).map((result) => /"status":"(\w+)"/.exec(result)?.[1] ?? result);
}

test.each(MINDS)(
  "attack 19: no child may more than its parents, whichever agent it is and whatever is asked for it, in the runtime %s",
  async (mind) => {
    const nest = await openNest(mind);
    const { grove, model } = nest;
    for (const more of [
      { agentId: "free" },
      { agentId: "../free" },
      { agentId: "loose", tools: { exec: true } },
      { agentId: "loose", sandbox: "off" },
      { agentId: "loose", policies: [] },
      { agentId: "loose", spawnDepth: 0 },
      { agentId: "slow", runtime: "native" },
      { workspaceDir: "/" },
      { model: "grove/unlisted" },
    ])
      expect([more, ...(await tries(nest, [spawn("say x", more)]))]).toEqual([
        more,
        expect.stringMatching(/error|forbidden/),
      ]);
    expect(await grove.read((read) => read.runs({ limit: 9 }))).toEqual([]);
    const known = model.results().length;
    const task = ["exec", "write_file"].map((tool) => `call ${tool} ${JSON.stringify(MADE)}`).join(";");
    expect(await tries(nest, [spawn(task, { agentId: "loose" })])).toEqual(["accepted"]);
    const [, ...tried] = await grove.until("the child to try", () =>
      model.results().length >= known + 3 ? model.results().slice(known) : undefined,
    );
    expect(tried).toEqual([expect.stringMatching(UNKNOWN), expect.stringMatching(UNKNOWN)]);
    await grove.rests();
    expect(existsSync(join(grove.folder, "made.txt"))).toBe(false);
  },
);

test.each(MINDS)("attack 19: spawning ends at its limits of depth, width and tree, in the runtime %s", async (mind) => {
  const nest = await openNest(mind);
  const { grove, model, mallory } = nest;
  const readRuns = () => grove.read((read) => read.runs({ limit: 99 }));
  // Each spawns the next one.
  const known = model.results().length;
  expect(await tries(nest, [spawn(spawn(spawn("say deep", { agentId: "loose" }), { agentId: "loose" }))])).toEqual([
    "accepted",
  ]);
  await grove.until("the leaf to try", () => (model.results().length >= known + 3 ? true : undefined));
  await grove.rests();
  expect(await readRuns()).toHaveLength(2);
  expect(model.results().slice(known).at(-1)).toMatch(UNKNOWN);
  // As many at once as it likes.
  const wide = await tries(nest, Array(6).fill(spawn("wait", { agentId: "slow" })));
  expect(wide).toEqual(["accepted", "accepted", "accepted", "forbidden", "forbidden", "forbidden"]);
  await mallory.says("/kill all");
  await grove.rests();
  // Each as many as it may.
  const broad = spawn(
    Array(3)
      .fill(spawn("wait", { agentId: "slow" }))
      .join(";"),
  );
  const before = model.results().length;
  await tries(nest, [broad, broad, broad]);
  await grove.until("all to try", () => (model.results().length >= before + 12 ? true : undefined));
  const answers = model.results().slice(before);
  expect(answers.join()).toMatch(/"code":"tree_reached"/);
  // One that may have no child ends, and leaves room for another one's.
  expect((await readRuns()).filter(({ state }) => state !== "ended").length).toBeLessThanOrEqual(5);
  await mallory.says("/kill all");
  await grove.rests();
});
