/** A whole gateway as a process that dies where it is told to. Ends in order on SIGTERM, or when its parent is gone. */
import { openGateway } from "banyan";
import { createKillPoint, type KillPlan } from "./kill-plan.ts";

export interface ChildSpec {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly kill?: KillPlan;
}

const spec: ChildSpec = JSON.parse(process.argv[2] ?? "{}");
const ended = Promise.withResolvers<void>();
process.once("SIGTERM", () => ended.resolve());
process.stdin.once("close", () => ended.resolve()).resume();

const module = new URL("./store-kill-point.ts", import.meta.url);
if (spec.kill !== undefined) {
  module.searchParams.set("point", spec.kill.point);
  module.searchParams.set("hit", String(spec.kill.hit));
}
const { gateway } = await openGateway({
  cwd: spec.folder,
  env: spec.env,
  ports: { faultPoint: createKillPoint(spec.kill) },
  faultPointModule: module.href,
});
process.stdout.write(`${gateway.url}\n`);
await ended.promise;
await gateway.stop();
process.exit(0);
