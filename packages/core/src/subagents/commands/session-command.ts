import { formatDuration } from "@banyan/plugin-sdk";
import type { BindingRow, NewBinding, NewTimer } from "@banyan/store";
import { type BindingTimerKind, buildBindingTimerId } from "../../bindings/binding-timer.ts";
import type { Command, CommandContext, CommandDecision } from "../../commands/command.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { buildBindEffect } from "./bind-effect.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { parseDuration } from "./duration-line.ts";
import { findStandingBinding } from "./standing-binding.ts";

const USAGE = "`/session idle <time|off>` and `/session max-age <time|off>` change it; a time is 90s, 15m, 2h or 3d.";
const UNBOUND = "No sub-agent has this conversation, so it never expires. `/focus` turns it to one.";

type Expiry = "idleMs" | "maxAgeMs";
const EXPIRIES: ReadonlyMap<string, Expiry> = new Map<string, Expiry>([
  ["idle", "idleMs"],
  ["max-age", "maxAgeMs"],
]);
const TIMER_KIND: Readonly<Record<Expiry, BindingTimerKind>> = { idleMs: "binding-idle", maxAgeMs: "binding-age" };

/** `/session`: how long a sub-agent's thread, or a conversation that was turned to one, stays so. */
export function createSessionCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.session,
    decide: (context) => decideSession(context, parts),
  };
}

async function decideSession(context: CommandContext, parts: SubagentParts): Promise<CommandDecision> {
  const { rest, now } = context;
  const standing = await findStandingBinding(context, parts);
  if (standing === undefined) return { answer: UNBOUND };
  const [, name = "", value = ""] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const expiry = EXPIRIES.get(name.toLowerCase());
  if (expiry === undefined) {
    const unknown = name === "" ? [] : ["There is only `idle` and `max-age`."];
    return { answer: [...unknown, describeExpiry(standing, now), USAGE].join("\n") };
  }
  if (value === "") return { answer: [describeExpiry(standing, now), USAGE].join("\n") };
  const parsed = parseDuration(value);
  if (parsed.kind === "invalid") return { answer: parsed.problem };
  const changed = changeExpiry(standing, expiry, parsed.kind === "time" ? parsed.ms : undefined);
  return {
    answer: describeExpiry({ ...changed, createdAtMs: standing.createdAtMs }, now),
    effect: buildBindEffect(
      { address: standing.address, binding: changed, ...planTimer(standing, changed, expiry, now) },
      parts,
    ),
  };
}

function changeExpiry(
  { createdAtMs: _age, ...standing }: BindingRow,
  expiry: Expiry,
  ms: number | undefined,
): NewBinding {
  const { [expiry]: _before, ...rest } = standing;
  return ms === undefined ? rest : { ...rest, [expiry]: ms };
}

/** Idle counts from now, because somebody is here; age from when it was bound. */
function planTimer(
  { id, createdAtMs }: BindingRow,
  changed: NewBinding,
  expiry: Expiry,
  now: number,
): { readonly timers: readonly NewTimer[]; readonly endTimers: readonly string[] } {
  const kind = TIMER_KIND[expiry];
  const timerId = buildBindingTimerId(kind, id);
  const ms = changed[expiry];
  if (ms === undefined) return { timers: [], endTimers: [timerId] };
  const dueInMs = expiry === "idleMs" ? ms : Math.max(0, createdAtMs + ms - now);
  return { timers: [{ id: timerId, kind, subject: id, dueInMs }], endTimers: [] };
}

function describeExpiry({ kind, idleMs, maxAgeMs, createdAtMs }: Omit<BindingRow, "id">, now: number): string {
  const what =
    kind === "thread" ? "This thread belongs to its sub-agent" : "This conversation is turned to a sub-agent";
  const idle =
    idleMs === undefined ? "however long no one writes" : `until no one has written for ${formatDuration(idleMs)}`;
  if (maxAgeMs === undefined) return `${what} ${idle}, whatever its age.`;
  const left = createdAtMs + maxAgeMs - now;
  const age = left <= 0 ? "which is over: it ends now" : `in ${formatDuration(left)}`;
  return `${what} ${idle}, at most for ${formatDuration(maxAgeMs)} (${age}).`;
}
