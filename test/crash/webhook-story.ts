/** Deaths while Telegram posts instead of being asked. */
import assert from "node:assert/strict";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";
import { buildPostedAccount, listPosted, postAgain, postUntilTaken } from "./posted-updates.ts";

const PATIENCE_MS = 60_000;

/** Before and behind each step from a post to its 200; each is surely passed. */
export const WEBHOOK_POINTS: readonly KillPlan[] = [
  { point: "cursor.after", hit: 1 },
  { point: "inbound.parsed", hit: 1 },
  { point: "T0.before", hit: 1 },
  { point: "T0.after", hit: 1 },
  { point: "store.commit.before", hit: 3 },
  { point: "store.commit.after", hit: 3 },
  { point: "T3.before", hit: 1 },
  { point: "T3.after", hit: 1 },
  { point: "T6.before", hit: 1 },
  { point: "T6.after", hit: 1 },
];

/** The usual story over a webhook: the process dies at the point, and whatever it had not confirmed comes again. */
export function tellWebhookDeath(plan: KillPlan): Promise<void> {
  return inPostedWorld({}, {}, async (world) => {
    await world.adaSaysAll();
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await world.checkComplete();
  });
}

/** Deaths over messages that were all seen. */
export const SEEN_POINTS: readonly KillPlan[] = [
  { point: "inbound.parsed", hit: 1 },
  { point: "T0.before", hit: 1 },
];

/** The first message comes again last of all, a minute of the gateway's time after the others: it is answered first. */
export function tellLateFirst(plan: KillPlan): Promise<void> {
  return inPostedWorld(
    {},
    {},
    async (world) => {
      await world.adaSaysAll();
      const gateway = await world.start(plan);
      await gateway.died(`${plan.point} (${plan.hit})`);
      await world.telegram.webhook().holds();
      const [first, ...others] = await listPosted(world.telegram);
      assert.ok(first !== undefined && others.length === world.story.length - 1, world.log);
      await world.start();
      const later = others.map((id) => postUntilTaken(world, id));
      // A gateway that is posted to asks each minute of its time how its webhook stands.
      const asked = (await world.telegram.record({ method: "getWebhookInfo" })).length;
      await world.telegram.called("getWebhookInfo", asked + 2, PATIENCE_MS);
      await postUntilTaken(world, first);
      await Promise.all(later);
      await world.checkComplete();
    },
    true,
  );
}

/**
 * A world whose account is posted to. `config` and `account` are added to what is configured. With `isSteered` the story
 * itself says when Telegram posts again what was not confirmed.
 */
export async function inPostedWorld(
  config: object,
  account: object,
  tell: (world: CrashWorld) => Promise<void>,
  isSteered: boolean = false,
): Promise<void> {
  const posted = await buildPostedAccount();
  const channels = { telegram: { accounts: { default: { ...account, ...posted.account } } } };
  const world = await CrashWorld.open([], { ...config, server: posted.server, channels });
  const told = new AbortController();
  const posting = isSteered ? undefined : postAgain(world.telegram, world, told.signal);
  try {
    await tell(world);
  } finally {
    told.abort();
    await posting;
    await world.close();
  }
}
