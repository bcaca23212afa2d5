/**
 * What the store's threads load in a story: the plan stands in this module's own address, as functions do not cross.
 * `deaths` names a folder: each death of a thread leaves a file there, and there are no more than `mostDeaths`. `disk`
 * names a file whose text is the number of pages that the database may still grow; once it is gone, there is room.
 */
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { createKillPoint, type KillPlan } from "./kill-plan.ts";

const NO_LIMIT = 4_294_967_294;

const query = new URL(import.meta.url).searchParams;

const killPoint: FaultPoint = createKillPoint(readPlan(), () => {
  const folder = query.get("deaths");
  if (folder === null) return true;
  const deaths = readdirSync(folder).length;
  if (deaths >= Number(query.get("mostDeaths"))) return false;
  writeFileSync(join(folder, `death-${deaths + 1}`), "");
  return true;
});
export default killPoint;

function readPlan(): KillPlan | undefined {
  const point = query.get("point");
  if (point === null) return undefined;
  return { point, hit: Number(query.get("hit")), dies: query.get("dies") === "thread" ? "thread" : "process" };
}

export function prepareDatabase(database: DatabaseSync): void {
  const disk = query.get("disk");
  if (disk === null || !existsSync(disk)) return;
  const pages = Number(database.prepare("PRAGMA page_count").get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages + Number(readFileSync(disk, "utf8"))}`);
  watch(dirname(disk), { persistent: false }, (_event, name) => {
    if (name === basename(disk) && !existsSync(disk)) database.exec(`PRAGMA max_page_count = ${NO_LIMIT}`);
  });
}
