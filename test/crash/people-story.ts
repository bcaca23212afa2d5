/** Deaths while a group moves and while the operator links people. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { callGatewayLinkAdd } from "@banyan/core";
import { openSqliteReader } from "@banyan/store-sqlite";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";

const ADA = { id: 7, firstName: "Ada" } as const;
const PATIENCE_MS = 60_000;
const LINKED: readonly string[] = ["telegram:7", "webchat:operator"];

/** Points on the way of a group that moves while an answer to it is on its way; each is surely passed. */
export const MOVE_POINTS: readonly KillPlan[] = [
  { point: "T0.before", hit: 1 },
  { point: "T0.after", hit: 1 },
  { point: "migrate.before", hit: 1 },
  { point: "migrate.after", hit: 1 },
  { point: "T3.before", hit: 1 },
  { point: "T3.after", hit: 1 },
  { point: "T6.before", hit: 1 },
  { point: "T6.after", hit: 1 },
];

/** Points of a change by the operator. */
export const LINK_POINTS: readonly KillPlan[] = [
  { point: "links.before", hit: 1 },
  { point: "links.after", hit: 1 },
];

/** A group asks, becomes a supergroup, and asks again, before the gateway hears of any of it. */
export async function tellGroupMove(plan: KillPlan): Promise<void> {
  const account = { groups: { policy: "open" } };
  const world = await CrashWorld.open([], { channels: { telegram: { accounts: { default: account } } } });
  try {
    const { telegram } = world;
    const group = await telegram.createRoom({
      kind: "group",
      title: "Grove",
      creator: ADA,
      bots: [await telegram.bot()],
    });
    await group.member(ADA).says("@grove_bot calc 2+3");
    const grown = await group.upgrades(ADA);
    await grown.member(ADA).says("@grove_bot calc 6*7");
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    for (const answer of [/= 5$/, /= 42$/]) {
      await grown.member(ADA).hears(({ text }) => answer.test(text), { timeoutMs: PATIENCE_MS });
    }
    await world.rests();
    const messages = (await grown.member(ADA).messages()).map(({ text }) => text);
    for (const answer of [/= 5$/, /= 42$/]) {
      const copies = messages.filter((text) => answer.test(text));
      const unmarked = copies.filter((text) => !text.startsWith("(may be repeated)"));
      assert.ok(unmarked.length <= 1, `${answer}: ${copies.length} answers\n${messages.join("\n")}\n${world.log}`);
    }
    assert.equal(await world.gateway.stop(), 0, world.log);
    const { read, close } = openSqliteReader(join(world.folder, "state"));
    const keys = (await read.sessions({ limit: 10 })).map(({ key }) => key);
    close();
    assert.deepEqual(keys, [`agent:main:telegram:group:${grown.chatId}`], world.log);
  } finally {
    await world.close();
  }
}

/** The operator links two accounts; the command is given again when the gateway has died over it. */
export async function tellLink(plan: KillPlan): Promise<void> {
  const world = await CrashWorld.open();
  const stateDir = join(world.folder, "state");
  try {
    const gateway = await world.start(plan);
    await assert.rejects(callGatewayLinkAdd(stateDir, LINKED, "ada"));
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await callGatewayLinkAdd(stateDir, LINKED, "ada");
    assert.equal(await world.gateway.stop(), 0, world.log);
    const { read, close } = openSqliteReader(stateDir);
    const { links } = await read.routes();
    const audit = (await read.audit({ limit: 10 })).filter(({ action }) => action.startsWith("link"));
    close();
    assert.deepEqual(
      links.map(({ channel, peer, person }) => `${channel}:${peer} is ${person}`).sort(),
      LINKED.map((account) => `${account} is ada`),
    );
    assert.equal(audit.length, 1, JSON.stringify(audit));
  } finally {
    await world.close();
  }
}
