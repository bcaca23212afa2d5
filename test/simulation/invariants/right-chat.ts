import { formatAddress, isAddress, parseAddress } from "@banyan/plugin-sdk";
import { type DeliveryBody, type MigrateChatStep, moveAddress, type NewDelivery, type RunRow } from "@banyan/store";
import type { Observation } from "../world/observation.ts";
import { readTold } from "./announcement.ts";
import type { Grounds, Invariant } from "./invariant.ts";
import { listWritten } from "./written.ts";

/**
 * I10: every message stands where its row says, and the row says what it was born with: where it was written to, or, of
 * the end of a run, where that was asked for. What a thread does not take any more stands in its chat, and says so.
 */
export function createRightChat(): Invariant {
  const born = new Map<string, string>();
  /** By the code that was given there. */
  const offered = new Map<string, string>();
  const moves: Move[] = [];
  const routes = createRouteBook(moves);
  return {
    name: "I10",
    observe(seen, { data }) {
      if (seen.type === "step") {
        const { step, result } = seen;
        const isMoved = step.step === "migrate_chat" && result.status === "done";
        if (isMoved) moves.push(...step.addresses);
        const strayed = routes.judge(seen.runs, data);
        if (strayed !== undefined) return strayed;
        for (const row of listWritten(step, result)) {
          const { id, address } = row;
          const asked = routes.find(row) ?? findAddress(step, address, data);
          // Whoever gave the code away is told who took it.
          const redeemed = step.step === "command" ? offered.get(step.link?.redeem ?? "") : undefined;
          // A turn that began before its chat moved answers there; the platform's refusal takes the answer along.
          const isLate = asked !== undefined && listPlaces(asked, moves).has(address);
          const isEarly = asked !== undefined && listPlaces(address, moves).has(asked);
          if (asked !== undefined && !isLate && !isEarly && redeemed !== address)
            return `${id} answers a message of ${asked}, and is for ${address}`;
          born.set(id, address);
        }
        if (step.step === "command" && step.link?.offer !== undefined)
          offered.set(step.link.offer.code, step.link.offer.address);
        if (isMoved) for (const [id, address] of born) born.set(id, follow(id, address, step.addresses, data));
        return undefined;
      }
      const shown = seen.type === "posted" ? seen.post : seen.type === "edited" ? seen.edit : undefined;
      const { row, address, text } = shown ?? {};
      // A status that goes on stays where it is.
      if (row === undefined || text === undefined) return undefined;
      const stored = data.deliveries.get(row)?.row;
      if (stored === undefined) return `a message stands in a chat that no row asked for: ${row}`;
      const isBeside = isBesideThread(stored.address, address, text);
      if (address !== stored.address && !isBeside) return `${row} is for ${stored.address} and stands in ${address}`;
      if (stored.address !== born.get(row))
        return `${row} was written for ${born.get(row)} and is for ${stored.address}`;
      const body: DeliveryBody = JSON.parse(stored.body);
      const said = seen.type === "posted" && seen.post.placeOf !== undefined ? (body.placeholder ?? "") : body.text;
      return text.endsWith(said) ? undefined : `${row} says something else than was decided: ${text.slice(0, 60)}`;
    },
  };
}

function isBesideThread(of: string, address: string | undefined, text: string): boolean {
  if (!isAddress(of) || !/^\(thread (gone|shut)\)\n/.test(text)) return false;
  const { thread, ...chat } = parseAddress(of);
  return thread !== undefined && formatAddress(chat) === address;
}

type Move = MigrateChatStep["addresses"][number];
type Changes = Extract<Observation, { readonly type: "step" }>["runs"];

/** Where runs were asked for, written down when they began. */
function createRouteBook(moves: readonly Move[]) {
  const routes = new Map<string, string>();
  /** The first part alone says of which run a message tells. */
  const told = new Map<string, string>();
  return {
    find(row: NewDelivery): string | undefined {
      // The line that calls attention to an edited result tells of the same runs.
      const { behind = "" }: DeliveryBody = JSON.parse(row.body);
      const [runId = told.get(row.deliveryId) ?? told.get(behind.replace(/\.\d+$/, ""))] = readTold(row);
      if (runId !== undefined) told.set(row.deliveryId, runId);
      return runId === undefined ? undefined : routes.get(runId);
    },
    /** A run is asked for where its asker is spoken to, and told of there. */
    judge(runs: Changes, { items }: Grounds["data"]): string | undefined {
      for (const { before, after } of runs) {
        if (after === undefined) continue;
        if (before === undefined) routes.set(after.runId, after.route);
        const asked = before === undefined ? items.get(after.spawnSeq ?? 0)?.row.address : routes.get(after.runId);
        const wrong = [after.route, after.target].find((place) => !isSamePlace(asked, place, moves));
        if (wrong !== undefined) return `${after.runId} was asked for in ${asked}, and is told of in ${wrong}`;
      }
      return undefined;
    },
  };
}

function isSamePlace(asked: string | undefined, place: RunRow["target"], moves: readonly Move[]): boolean {
  if (asked === undefined || place === undefined || asked === place) return true;
  return listPlaces(asked, moves).has(place) || listPlaces(place, moves).has(asked);
}

/** Wherever an address has led so far. */
function listPlaces(address: string, moves: readonly Move[]): ReadonlySet<string> {
  const places = new Set([address]);
  for (const place of places) for (const move of moves) places.add(moveAddress(place, [move]));
  return places;
}

/** A row that is not sent goes where its chat went, and only there. */
function follow(
  id: string,
  address: string,
  moves: MigrateChatStep["addresses"],
  { deliveries }: Grounds["data"],
): string {
  const { state } = deliveries.get(id)?.row ?? { state: "sent" };
  return state === "sent" || state === "sent_maybe_repeated" ? address : moveAddress(address, moves);
}

type StepOf = Parameters<typeof listWritten>[0];

/** Where the message came from that a step answers. */
function findAddress(step: StepOf, address: string, data: Grounds["data"]): string | undefined {
  if (step.step === "commit_turn") return data.items.get(step.items[0] ?? 0)?.row.address;
  if (step.step === "tool_result") return findWaiting(step.lane, address, data);
  return step.step === "command" ? data.items.get(step.seq)?.row.address : undefined;
}

/** A turn at work speaks to whoever waits behind it; else only where it was asked. */
function findWaiting(lane: string, address: string, { items }: Grounds["data"]): string | undefined {
  const ofLane = [...items.values()].flatMap(({ row }) => (row.lane === lane ? [row] : []));
  const waiting = ofLane.find(
    ({ state, kind, address: at }) => state === "waiting" && kind === "message" && at === address,
  );
  return waiting?.address ?? ofLane.find(({ state }) => state === "active")?.address;
}
