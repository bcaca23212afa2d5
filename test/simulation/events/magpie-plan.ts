import type { DeliverySetting } from "@banyan/core";
import type { Random } from "../world/random.ts";
import type { MagpieAccount } from "./person.ts";

export const MAGPIE_ACCOUNTS = ["magpie/lake", "magpie/wood"] as const;

/** How the accounts of the platform whose messages can be edited deliver what a platform does not know again. */
export type MagpieSettings = Readonly<Record<MagpieAccount, DeliverySetting>>;

/** Most of them edit. */
export function drawMagpieSettings(random: Random): MagpieSettings {
  return {
    "magpie/lake": random.pick(["anchor", "anchor", "anchor", "at-least-once", "at-most-once"]),
    "magpie/wood": random.pick(["anchor", "at-least-once", "at-most-once"]),
  };
}
