import { isChildKey } from "../invariants/family.ts";
import { findPerson } from "../invariants/identity.ts";
import type { SimProcess } from "../process/sim-process.ts";
import type { Ground } from "../world/ground.ts";
import { formatPeer } from "./person.ts";
import type { WorldEvent } from "./world-event.ts";

export type Operation = Extract<
  WorldEvent,
  { kind: "settle_pairing" | "operator_link" | "operator_unlink" | "rekey" | "kill_run" | "delete_session" | "reset" }
>;

/** What the operator types at the command line, and what a program orders. */
export function operate(process: SimProcess, ground: Ground, event: Operation): void {
  switch (event.kind) {
    case "settle_pairing":
      process.operate(`pair-${event.to}`, { target: `${event.person.account}/${event.person.id}` });
      return;
    case "operator_link":
      process.operate("link-add", { accounts: event.people.map(formatPeer) });
      return;
    case "operator_unlink":
      process.operate("link-remove", { account: formatPeer(event.person) });
      return;
    case "kill_run": {
      const runId = pickAt(
        [...ground.data.runs.records.values()].flatMap(({ row }) => (row.state === "ended" ? [] : row.runId)),
        event.place,
      );
      if (runId !== undefined) process.operate("run-kill", { runId });
      return;
    }
    case "delete_session": {
      const key = pickSession(ground, event);
      if (key === undefined) return;
      ground.observe({ type: "deleted", key });
      process.operate("sessions-delete", { key });
      return;
    }
    case "reset": {
      const key = pickSession(ground, event);
      if (key !== undefined) process.reset(key);
      return;
    }
    case "rekey": {
      const name = findPerson(ground.data, formatPeer(event.person)) ?? event.person.id;
      const keys = [`agent:main:dm:${name}`, `agent:main:dm:${event.shelf}`];
      const [from, to] = event.isBack ? keys.toReversed() : keys;
      process.operate("sessions-rekey", { from, to, acceptShared: !event.isBack });
    }
  }
}

function pickSession(
  { data }: Ground,
  { place, ofChild }: { readonly place: number; readonly ofChild: boolean },
): string | undefined {
  return pickAt(
    [...data.sessions.keys()].filter((key) => isChildKey(key) === ofChild),
    place,
  );
}

function pickAt<T>(list: readonly T[], place: number): T | undefined {
  return list[place % Math.max(1, list.length)];
}
