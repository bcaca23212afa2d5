import type {
  CommitTurnStep,
  NewDelivery,
  ReceivedItem,
  ReceiveStep,
  SessionWrite,
  WriteSessionStep,
} from "@banyan/store";

/** Steps of one person's session with everything a test does not care about filled in. */
export const adaKey = "agent:main:test:dm:ada";

export function buildSession(more: Partial<SessionWrite> = {}): SessionWrite {
  return {
    key: adaKey,
    sessionId: "ada-1",
    agentId: "main",
    file: "ada-1.jsonl",
    expectRevision: 0,
    body: "{}",
    ...more,
  };
}

export function buildWriteSession(writeId: string, more: Partial<SessionWrite> = {}): WriteSessionStep {
  return { step: "write_session", writeId, session: buildSession(more) };
}

export function buildReceive(id: string, more: Partial<ReceivedItem> = {}): ReceiveStep {
  return {
    step: "receive",
    account: { channel: "test", account: "one" },
    cursor: id,
    claim: { owner: "owner", claimId: `claim of ${id}` },
    items: [
      {
        lane: adaKey,
        dedupe: id,
        nativeId: id,
        kind: "message",
        address: "test|one|ada",
        body: JSON.stringify({ text: `text of ${id}` }),
        laneCap: 100,
        session: buildSession(),
        ...more,
      },
    ],
  };
}

export function buildDelivery(id: string, more: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id,
    deliveryId: id,
    part: 0,
    of: 1,
    kind: "reply",
    channel: "test",
    account: "one",
    address: "test|one|ada",
    chat: "test|one|ada",
    policy: "at-least-once",
    body: JSON.stringify({ text: `text of ${id}` }),
    ...more,
  };
}

export function buildEntries(...ids: readonly string[]): { id: string; body: string }[] {
  return ids.map((id) => ({ id, body: JSON.stringify({ id, text: `text of ${id} ✓` }) }));
}

export function buildAppend(...ids: readonly string[]): {
  step: "append_entries";
  sessionKey: string;
  sessionId: string;
  entries: { id: string; body: string }[];
} {
  return { step: "append_entries", sessionKey: adaKey, sessionId: "ada-1", entries: buildEntries(...ids) };
}

/** The first turn of the session that `buildReceive` inserted. */
export function buildCommit(seq: number, more: Partial<CommitTurnStep> = {}): CommitTurnStep {
  return {
    step: "commit_turn",
    lane: adaKey,
    epoch: 1,
    items: [seq],
    itemState: "done",
    entries: buildEntries("question", "answer"),
    session: buildSession({ expectRevision: 1 }),
    deliveries: [buildDelivery("answer.0")],
    ...more,
  };
}
