/** The fault point for the store's threads: the plan stands in this module's own address, as functions do not cross. */
import type { FaultPoint } from "@banyan/plugin-sdk";
import { createKillPoint } from "./kill-plan.ts";

const query = new URL(import.meta.url).searchParams;
const point = query.get("point");

const killPoint: FaultPoint = createKillPoint(point === null ? undefined : { point, hit: Number(query.get("hit")) });
export default killPoint;
