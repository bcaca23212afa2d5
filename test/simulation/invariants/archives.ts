import type { FiredTimer, RunRow, SetTimersStep } from "@banyan/store";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { WorldClock } from "../world/world-clock.ts";
import { readTold } from "./announcement.ts";
import type { Invariant } from "./invariant.ts";

/** What of a run's body says when it is put away. */
interface RunTimes {
  readonly cleanup: string;
  readonly archiveAfterMs?: number;
}

/** The store's times are whole milliseconds. */
const ROUNDING_MS = 2;

const OPEN: ReadonlySet<string> = new Set(["waiting", "active", "held"]);
const UNSETTLED: ReadonlySet<string> = new Set(["pending", "sending", "stuck"]);

const ARCHIVE_TIMER = "archive|";
const PROMPT_MS = 500;
const FOREVER = Number.POSITIVE_INFINITY;

/**
 * I19: a session is put away only when it, and all that it asked for itself, is through, and the chat was told; and at its
 * time: the span behind its creation, or behind its end where it was not through by then.
 */
export function createArchives(): Invariant {
  let known = new Set<string>();
  /** Firings that something stood against when they were tried, whatever is left of that by now. */
  const refused = new Set<string>();
  /** Until when a conversation was turned to the session. */
  const focused = new Map<string, number>();
  return {
    name: "I19",
    observe(seen, { data, clock }) {
      if (seen.type !== "step") return undefined;
      noteFocus(focused, data, clock.monotonic());
      if (seen.step.step === "archive_run" && seen.result.status === "refused")
        refused.add(nameFiring(seen.step.timer));
      const fresh = listFresh(known, data.archivedKeys);
      if (fresh.length > 0 || known.size !== data.archivedKeys.size) known = new Set(data.archivedKeys);
      const hasty = fresh.map((key) => judgeSession(key, data)).find((wrong) => wrong !== undefined);
      if (hasty !== undefined || seen.result.status !== "done") return hasty;
      // What the wall clock says of a run's life is worth nothing once it was set.
      const isTimed = clock.jumps === 0;
      if (seen.step.step === "set_timers")
        return isTimed && !refused.has(nameFiring(seen.step.fired))
          ? judgeLater(seen.step, data, clock, focused)
          : undefined;
      if (seen.step.step !== "archive_run") return undefined;
      const run = data.runs.records.get(seen.step.runId)?.row;
      if (run?.state !== "ended") return `${run?.runId} is put away, and is ${run?.state}`;
      return judgeTold(run, data) ?? (isTimed ? judgeTime(run) : undefined);
    },
  };
}

/** Looked at after each step, and nearly always empty. */
function listFresh(known: ReadonlySet<string>, keys: Iterable<string>): readonly string[] {
  const fresh: string[] = [];
  for (const key of keys) if (!known.has(key)) fresh.push(key);
  return fresh;
}

function noteFocus(focused: Map<string, number>, { runs }: StoreMirror, nowMs: number): void {
  if (runs.bindings.size === 0 && focused.size === 0) return;
  const now = new Set<string>();
  for (const { row } of runs.bindings.values()) if (row.kind === "focus") now.add(row.sessionKey);
  for (const [key, untilMs] of focused) if (untilMs === FOREVER && !now.has(key)) focused.set(key, nowMs);
  for (const key of now) focused.set(key, FOREVER);
}

function nameFiring(timer: FiredTimer | undefined): string {
  return `${timer?.id} ${timer?.dueAtMs}`;
}

/** `undefined`: right after its announcement. */
function findDueMs({ createdAtMs, endedAtMs = 0, body }: RunRow): number | undefined {
  const { cleanup, archiveAfterMs = 0 }: RunTimes = JSON.parse(body);
  if (cleanup === "delete") return undefined;
  const dueAtMs = createdAtMs + archiveAfterMs;
  return endedAtMs <= dueAtMs ? dueAtMs : endedAtMs + archiveAfterMs;
}

function judgeTime(run: RunRow): string | undefined {
  const earlyMs = (findDueMs(run) ?? 0) - (run.archivedAtMs ?? 0);
  return earlyMs > ROUNDING_MS ? `${run.childSessionKey} is put away ${earlyMs} ms too early` : undefined;
}

/** Its timer was due; what has nothing left to wait for is put away, and not looked at again. */
function judgeLater(
  { fired, arm }: SetTimersStep,
  data: StoreMirror,
  clock: WorldClock,
  focused: ReadonlyMap<string, number>,
): string | undefined {
  if (!fired?.id.startsWith(ARCHIVE_TIMER) || !arm.some(({ id }) => id === fired.id)) return undefined;
  // A process that stood still has decided it on what was.
  if (clock.now() - fired.dueAtMs > PROMPT_MS) return undefined;
  const run = data.runs.records.get(fired.id.slice(ARCHIVE_TIMER.length))?.row;
  if (run?.state !== "ended" || (findDueMs(run) ?? 0) > fired.dueAtMs) return undefined;
  const { childSessionKey } = run;
  const isFocused = clock.monotonic() - (focused.get(childSessionKey) ?? Number.NEGATIVE_INFINITY) < PROMPT_MS;
  if (isFocused || (judgeTold(run, data) ?? judgeSession(childSessionKey, data)) !== undefined) return undefined;
  return `${childSessionKey} could be put away, and is looked at later`;
}

function judgeSession(key: string, { items, runs }: StoreMirror): string | undefined {
  const open = [...items.values()].find(({ row }) => row.lane === key && OPEN.has(row.state));
  if (open !== undefined) return `${key} is put away, and item ${open.row.seq} in it is ${open.row.state}`;
  const atWork = [...runs.records.values()].find(
    ({ row }) => row.state !== "ended" && (row.childSessionKey === key || row.requesterSessionKey === key),
  );
  return atWork === undefined ? undefined : `${key} is put away, and ${atWork.row.runId} is ${atWork.row.state}`;
}

function judgeTold({ runId, childSessionKey, settledBy }: RunRow, data: StoreMirror): string | undefined {
  const seq = data.seldom.findSeq(`completion|${runId}`);
  const { state = "done" } = data.items.get(seq ?? 0)?.row ?? {};
  if (OPEN.has(state)) return `${childSessionKey} is put away, and its completion is ${state}`;
  if (settledBy === undefined) return `${childSessionKey} is put away, and nobody has told of ${runId}`;
  const unsent = [...data.deliveries.values()].find(
    ({ row }) => UNSETTLED.has(row.state) && (readTold(row).includes(runId) || row.sessionKey === childSessionKey),
  );
  return unsent === undefined
    ? undefined
    : `${childSessionKey} is put away, and ${unsent.row.id} is ${unsent.row.state}`;
}
