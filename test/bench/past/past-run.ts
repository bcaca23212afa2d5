import type {
  DeliveryRow,
  EntryRow,
  ItemRow,
  NewDelivery,
  NewEntry,
  NewItem,
  SessionRow,
  SessionWrite,
} from "@banyan/store";
import type { RunPattern } from "./run-pattern.ts";

/** The person at whose chat the pattern was made. */
const PATTERN_PERSON = "pattern-1";
const OWNER = "the-past";

/** The pattern as another one's run: other ids, another person. `name` is of the digits and letters of a hex number. */
export function copyPattern(pattern: RunPattern, name: string, person: string): RunPattern {
  const { run, child, entries, delivery, told } = pattern;
  const ids = [run.runId, child.sessionId, delivery.deliveryId, told.id, ...entries.map(({ id }) => id)];
  const childId = child.key.slice(child.key.lastIndexOf(":") + 1);
  const text = [...ids, childId].reduce(
    (copied, id) => copied.replaceAll(id, `${id.slice(0, -name.length)}${name}`),
    JSON.stringify(pattern),
  );
  return JSON.parse(text.replaceAll(PATTERN_PERSON, person));
}

export function buildItem({ lane, kind, address, body, wake, runId }: ItemRow, dedupe: string): NewItem {
  return {
    lane,
    dedupe,
    nativeId: dedupe,
    kind,
    address,
    body,
    ...(wake === undefined ? {} : { wake }),
    ...(runId === undefined ? {} : { runId }),
  };
}

export function buildWrite({ key, sessionId, agentId, file, body }: SessionRow, expectRevision: number): SessionWrite {
  return { key, sessionId, agentId, file, body, expectRevision };
}

/** Without the `seq` that the driver put before the rest. */
export function buildEntry({ id, body }: EntryRow): NewEntry {
  return { id, body: `{${body.slice(body.indexOf(",") + 1)}` };
}

export function buildDelivery(row: DeliveryRow): NewDelivery {
  const { id, deliveryId, part, of, kind, channel, account, address, chat, sessionKey, policy, body, runId } = row;
  return {
    id,
    deliveryId,
    part,
    of,
    kind,
    channel,
    account,
    address,
    chat,
    policy,
    body,
    sendingOwner: OWNER,
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(runId === undefined ? {} : { runId }),
  };
}
