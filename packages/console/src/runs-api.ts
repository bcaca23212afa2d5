import {
  buildRoutePicture,
  canonicalizeSessionKey,
  type FindLiveNote,
  findChatSession,
  type IdentityLinks,
  type RouteTable,
  type RunNode,
  readRunTree,
  trimRunTree,
} from "@banyan/core";
import type { DeliveryRow, StoreReads } from "@banyan/store";
import { buildShownRun, listDeliveryNews, TOLD_DELIVERY_STATES } from "./shown-run.ts";

/** More than anybody looks through on a page. Those at work come first. */
const MOST_SHOWN = 100;
const MOST_READ = 300;
const PAGE_DELIVERIES = 1_000;
const HEADERS: Readonly<Record<string, string>> = { "cache-control": "no-store" };

export interface RunsApiParts {
  readonly read: Pick<StoreReads, "runs" | "routes" | "deliveries">;
  readonly routes: RouteTable;
  /** The configuration's own. */
  readonly identityLinks: IdentityLinks;
  readonly findLiveNote: FindLiveNote;
  /** Milliseconds since the epoch, by the clock of the store. */
  now(): number;
}

/**
 * `GET /api/runs?session=KEY`, or `?address=ADDRESS` for the session that a message there would go to: the runs below it
 * as a tree. Read-only. The caller has checked who asks.
 */
export function createRunsApi(parts: RunsApiParts): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "GET") return refuse(405, "Runs were asked for: they are read by GET", { allow: "GET" });
    const sessionKey = await findSession(new URL(request.url).searchParams, parts);
    if (sessionKey === undefined) {
      return refuse(400, "Runs were asked for: that names no session; give session=KEY or address=ADDRESS");
    }
    return Response.json(await readRuns(sessionKey, parts), { headers: HEADERS });
  };
}

async function findSession(query: URLSearchParams, { read, routes, identityLinks }: RunsApiParts) {
  const [key, address] = [query.get("session"), query.get("address")];
  if (key !== null) return canonicalizeSessionKey(key) ?? undefined;
  if (address === null) return undefined;
  return findChatSession(routes, buildRoutePicture(await read.routes(), identityLinks), address);
}

async function readRuns(sessionKey: string, { read, findLiveNote: findNote, now }: RunsApiParts): Promise<object> {
  const tree = await readRunTree(read, { sessionKey, mostRuns: MOST_READ, findNote });
  const { nodes, hidden } = trimRunTree(tree.nodes, MOST_SHOWN);
  const news = listDeliveryNews(await readDeliveries(nodes, read));
  const at = now();
  return { sessionKey, runs: nodes.map((node) => buildShownRun(node, news, at)), hidden };
}

/** All that is to be told of these runs: one that was told with another has no delivery of its own. */
async function readDeliveries(nodes: readonly RunNode[], read: RunsApiParts["read"]): Promise<readonly DeliveryRow[]> {
  const query = { states: TOLD_DELIVERY_STATES, runIds: [...new Set(listTellers(nodes))], limit: PAGE_DELIVERIES };
  const rows: DeliveryRow[] = [];
  for (;;) {
    const afterPos = rows.at(-1)?.pos ?? 0;
    const page = await read.deliveries({ ...query, afterPos });
    rows.push(...page);
    if (page.length < PAGE_DELIVERIES) return rows;
  }
}

function listTellers(nodes: readonly RunNode[]): readonly string[] {
  return nodes.flatMap(({ run, children }) => [run.toldWithRunId ?? run.runId, ...listTellers(children)]);
}

function refuse(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error }, { status, headers: { ...HEADERS, ...headers } });
}
