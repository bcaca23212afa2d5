import type { RouteSnapshot } from "@banyan/store";
import { BanyanError } from "../ports/errors.ts";

/** Rejects with a `BanyanError` where the configuration forbids who would be let in and who would be whom. */
export type RouteCheck = (routes: RouteSnapshot) => Promise<void>;

/**
 * What stands against a change of the routes. Where they are refused as they are, nothing does: a start is refused until
 * they are in order, and the change may be a step on the way there.
 */
export async function findRouteRefusal(
  check: RouteCheck | undefined,
  before: RouteSnapshot,
  after: RouteSnapshot,
): Promise<BanyanError | undefined> {
  const refusal = await findRefusal(check, after);
  return refusal === undefined || (await findRefusal(check, before)) !== undefined ? undefined : refusal;
}

async function findRefusal(check: RouteCheck | undefined, routes: RouteSnapshot): Promise<BanyanError | undefined> {
  try {
    await check?.(routes);
    return undefined;
  } catch (error) {
    if (error instanceof BanyanError) return error;
    throw error;
  }
}
