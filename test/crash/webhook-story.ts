/** Deaths while Telegram posts instead of being asked. */
import { createServer } from "node:net";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";

/** Longer than Telegram waits at most before it brings an update again. */
const RETRY_MS = 121_000;

/** Before and behind each step from a post to its 200; each is surely passed. */
export const WEBHOOK_POINTS: readonly KillPlan[] = [
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
export async function tellWebhookDeath(plan: KillPlan): Promise<void> {
  const port = await findPort();
  const account = { updates: "webhook", webhookUrl: `http://127.0.0.1:${port}` };
  const config = { server: { port }, channels: { telegram: { accounts: { default: account } } } };
  const world = await CrashWorld.open([], config);
  const told = new AbortController();
  const posting = postAgain(world, told.signal);
  try {
    await world.adaSaysAll();
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await world.checkComplete();
  } finally {
    told.abort();
    await posting;
    await world.close();
  }
}

/** Telegram's time passes quickly, so that what was not confirmed comes again soon. */
async function postAgain(world: CrashWorld, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const deliveries = await world.telegram.webhook().deliveries();
    // Telegram waits a minute for an answer, and none is to be cut short.
    if (deliveries.every(({ isSettled }) => isSettled)) await world.telegram.passTime(RETRY_MS);
    await world.pace();
  }
}

/** The port is part of the address that Telegram is told, in every life. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
