/** `banyan restore` as a process that dies where it is asked to. */
import { restoreSqliteStore } from "@banyan/store-sqlite";
import { createKillPoint, type KillPlan } from "./kill-plan.ts";

const { stateDir, plan }: { stateDir: string; plan?: KillPlan } = JSON.parse(process.argv[2] ?? "{}");
await restoreSqliteStore({ stateDir, faultPoint: createKillPoint(plan) });
