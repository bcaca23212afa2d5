/** An operator ends runs and puts conversations away while sub-agents work in them. */
import { callGatewayRunKill, callGatewaySessionDelete } from "@banyan/core";
import type { RunRow, RunState, StoreReads } from "@banyan/store";
import { openThreadPlace } from "./thread-place.ts";
import { openWebPlace } from "./tree-place.ts";
import type { TreeStory, TreeWorld } from "./tree-world.ts";

const MAIN = "agent:main:webchat:dm:ada";
const LEAF = `spawn ${JSON.stringify({ label: "leaf", task: "hang" })}`;

/** A run is stopped; then a conversation with a tree of two goes. Who writes there later begins anew. */
export const CLEARED: TreeStory = {
  openPlace: openWebPlace,
  agent: "tree",
  async play(world) {
    await world.says("/spawn --label hold hang");
    await killRun(world, "hold");
    await world.hears(/^⏹ .*hold.*stopped by the operator/s);
    await world.says(`spawn ${JSON.stringify({ label: "top", task: LEAF })}`);
    await world.hears(/^begun: top accepted/);
    await findRun(world, "leaf", "running");
    await findRun(world, "top", "waiting");
    await world.orders((stateDir) => callGatewaySessionDelete(stateDir, MAIN));
    await world.says("and now?");
  },
  hears: [
    /^🌱 .*hold.* is at work/,
    /^⏹ .*hold.*stopped by the operator/s,
    /^begun: top accepted/,
    /^⏹ .*top.*Its conversation was deleted/s,
    /^heard: and now\?/,
  ],
  end: {
    runs: { killed: 2, "session-delete": 1 },
    timers: ["announce", "archive"],
    bindings: 0,
    archived: 0,
  },
};

/**
 * Of two sub-agents with threads one is stopped; then both are put away: the other one with what works for it, the first
 * one while it answers somebody in its thread.
 */
export const FELLED: TreeStory = {
  openPlace: () => openThreadPlace(["⏹ hold archived", "⏹ watch archived"]),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --thread --label watch hang");
    await killRun(world, "watch");
    await world.hears(/^⏹ .*watch.*stopped by the operator/s);
    await world.says(`/spawn --thread --label hold '${LEAF}'`);
    await findRun(world, "leaf", "running");
    const hold = await findRun(world, "hold", "waiting");
    const watch = await findRun(world, "watch", "ended");
    await world.says("hang", "watch");
    await begins(world, watch);
    for (const { childSessionKey } of [hold, watch])
      await world.orders((stateDir) => callGatewaySessionDelete(stateDir, childSessionKey));
  },
  hears: [
    /^🌱 .*watch.* is at work/,
    /^⏹ .*watch.*stopped by the operator/s,
    /^🌱 .*hold.* is at work/,
    /^hold: begun: leaf accepted/,
    /^hold: ⏹ \*\*leaf.*Its conversation was deleted/s,
    /^hold: ⏹ “hold” was stopped and has left this thread/,
    /^watch: ⏹ “watch” was stopped and has left this thread/,
    /^⏹ \*\*hold.*Its conversation was deleted/s,
  ],
  end: { runs: { killed: 1, "session-delete": 2 }, timers: ["archive"], bindings: 0, archived: 2 },
};

/** What somebody is answered in a thread is stopped from outside of it. */
export const HUSHED: TreeStory = {
  openPlace: () => openThreadPlace(["✅ census open"]),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --thread --label census count the trees");
    await world.hears(/^✅ .*census.* done in/);
    await world.says("hang", "census");
    const census = await findRun(world, "census", "ended");
    await begins(world, census);
    await world.says("/kill census");
    const told = await world.hears(/^\*\*census\*\* is done in .* Stopped: the answer|^Nothing to stop/);
    if (told.startsWith("Nothing")) {
      // The answer died with the process, and is begun again behind the command.
      await begins(world, census);
      await world.says("/kill census");
    }
    await world.hears(/^\*\*census\*\* is done in .* Stopped: the answer/);
    await world.says("/unfocus", "census");
  },
  hears: [
    /^🌱 .*census.* is at work/,
    /^census: heard: count the trees/,
    /^✅ .*census.* done in .*heard: count the trees/s,
    /^\*\*census\*\* is done in .* Stopped: the answer/,
    /^census: This thread is free again/,
  ],
  mayHear: [/^Nothing to stop: \*\*census\*\* is done in .* 1 message still waits/],
  end: { runs: { complete: 1 }, timers: [], bindings: 0, archived: 0 },
};

/** A program ends the conversation by the API while a sub-agent works for it. */
export const RESET_BY_API: TreeStory = {
  openPlace: openWebPlace,
  agent: "tree",
  async play(world) {
    await world.says("/spawn --label hold hang");
    await findRun(world, "hold", "running");
    await resets(world);
    await world.says("and now?");
  },
  hears: [/^🌱 .*hold.* is at work/, /^⏹ .*hold.* stopped.*Its conversation was reset/s, /^heard: and now\?/],
  end: { runs: { "session-reset": 1 }, timers: ["archive"], bindings: 0, archived: 0 },
};

/** Orders a reset in each life until one is stored; from then on it is carried out without another word. */
async function resets({ lives }: TreeWorld): Promise<void> {
  const readId = () => lives.read(async (read) => (await read.session(MAIN))?.sessionId);
  const before = await readId();
  for (;;) {
    await lives.alive();
    const { gateway } = lives;
    const isStored = await lives.read(async (read) => {
      const open = await read.openItems({ lane: MAIN, kinds: ["command"], limit: 9 });
      return open.length > 0 || (await read.session(MAIN))?.sessionId !== before;
    });
    if (!isStored) gateway.signal("SIGUSR2");
    while (!gateway.hasEnded) {
      if ((await readId()) !== before) return;
      await lives.pace();
    }
  }
}

/** A turn runs in its session. */
function begins(world: TreeWorld, { childSessionKey }: RunRow): Promise<number> {
  return world.finds("the answer", async (read) => (await read.lane(childSessionKey)).active[0]);
}

async function killRun(world: TreeWorld, label: string): Promise<void> {
  const { runId } = await findRun(world, label, "running");
  await world.orders((stateDir) => callGatewayRunKill(stateDir, runId));
}

function findRun(world: TreeWorld, label: string, state: RunState): Promise<RunRow> {
  return world.finds(`${label}, ${state}`, async (read: StoreReads) => {
    const runs = await read.runs({ states: [state], limit: 99 });
    // One that was undone never had a conversation.
    const isOwn = ({ body, endedReason }: RunRow) =>
      endedReason !== "spawn-failed" && body.includes(`"label":"${label}"`);
    return runs.find(isOwn);
  });
}
