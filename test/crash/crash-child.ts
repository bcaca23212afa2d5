/**
 * A whole gateway as a process that dies where it is told to. Ends in order on SIGTERM, or when its parent is gone; resets
 * a session on SIGUSR2.
 */
import { openGateway } from "banyan";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createKillPoint, type KillPlan } from "./kill-plan.ts";
import { createTreeAgent } from "./tree-agent.ts";

export interface ChildSpec {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** How far its clock is ahead of this machine's, in milliseconds. */
  readonly aheadMs?: number;
  /** Its own waits are over so many times sooner. */
  readonly hurry?: number;
  readonly kill?: KillPlan;
  /** Parameters of `store-kill-point.ts` beside the plan. */
  readonly store?: Readonly<Record<string, string>>;
}

const spec: ChildSpec = JSON.parse(process.argv[2] ?? "{}");
const ended = Promise.withResolvers<number>();
process.once("SIGTERM", () => ended.resolve(0));
process.stdin.once("close", () => ended.resolve(0)).resume();

const module = new URL("./store-kill-point.ts", import.meta.url);
for (const [name, value] of Object.entries({ ...spec.kill, ...spec.store })) {
  module.searchParams.set(name, String(value));
}
const { hurry = 1 } = spec;
const own = createHurriedClock(hurry);
const startedAt = own.now();
const clock = { ...own, now: () => startedAt + (own.now() - startedAt) * hurry + (spec.aheadMs ?? 0) };
const { gateway } = await openGateway({
  cwd: spec.folder,
  env: spec.env,
  ports: { clock, faultPoint: createKillPoint(spec.kill?.dies === "thread" ? undefined : spec.kill) },
  faultPointModule: module.href,
  runtimes: { tree: async () => createTreeAgent(clock) },
  onFailure: () => ended.resolve(1),
});
// As a program does that embeds the gateway.
process.on("SIGUSR2", () => {
  const reset = gateway.sessions.resolveSessionReset({ sessionKey: "agent:main:webchat:dm:ada", reason: "manual" });
  reset.catch((error: unknown) => process.stderr.write(`${error}\n`));
});
process.stdout.write(`${gateway.url}\n`);
const exitCode = await ended.promise;
await gateway.stop();
process.exit(exitCode);
