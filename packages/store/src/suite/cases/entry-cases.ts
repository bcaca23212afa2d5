import assert from "node:assert/strict";
import type { AppendEntriesStep } from "../../steps.ts";
import { sealEntryBody } from "../../store.ts";
import { otherLane, sampleEntries, sampleLane } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, writeTranscript } from "../store-script.ts";

const sessionId = `id of ${sampleLane}`;

function append(...ids: readonly string[]): AppendEntriesStep {
  return { step: "append_entries", sessionKey: sampleLane, sessionId, entries: sampleEntries(...ids) };
}

export const entryCases: readonly StoreCase[] = [
  {
    name: "entries: counted from 1 per session id, each body sealed with its place",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane, "a", "b");
      await writeTranscript(store, otherLane, "x");
      assert.deepEqual(await store.commit(append("c")), { status: "done" });
      const entries = await store.read.entries({ sessionId, limit: 9 });
      assert.deepEqual(
        entries,
        ["a", "b", "c"].map((id, index) => ({
          id,
          sessionId,
          sessionKey: sampleLane,
          seq: index + 1,
          body: sealEntryBody(index + 1, sampleEntries(id)[0]?.body ?? ""),
        })),
      );
      assert.deepEqual(JSON.parse(entries[2]?.body ?? ""), { seq: 3, id: "c", role: "assistant" });
      const [other] = await store.read.entries({ sessionId: `id of ${otherLane}`, limit: 9 });
      assert.deepEqual([other?.id, other?.seq], ["x", 1]);
      assert.deepEqual(await store.read.entries({ sessionId: "none", limit: 9 }), []);
    },
  },
  {
    name: "append_entries: a repeat is already; an entry that exists further on is left alone",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane, "a", "b");
      await assertChangesNothing(store, append("a", "b"), { status: "already" });
      await assertChangesNothing(store, append("a", "new"), { status: "already" });
      assert.deepEqual(await store.commit(append("c", "a", "d")), { status: "done" });
      const entries = await store.read.entries({ sessionId, limit: 9 });
      assert.deepEqual(
        entries.map(({ id, seq }) => `${seq} ${id}`),
        ["1 a", "2 b", "3 c", "4 d"],
      );
    },
  },
  {
    name: "append_entries: nothing to append is empty, an unknown session is refused",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, append("a"), { status: "refused", reason: "no_session" });
      await writeTranscript(store, sampleLane);
      await assertChangesNothing(store, append(), { status: "refused", reason: "empty" });
    },
  },
  {
    name: "entries: pages by seq, and the newest ones still ascending",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane, "a", "b", "c", "d", "e");
      const ids = async (query: { afterSeq?: number; limit: number; newest?: boolean }) =>
        (await store.read.entries({ sessionId, ...query })).map(({ id }) => id).join("");
      assert.equal(await ids({ limit: 2 }), "ab");
      assert.equal(await ids({ limit: 2, afterSeq: 2 }), "cd");
      assert.equal(await ids({ limit: 9, afterSeq: 4 }), "e");
      assert.equal(await ids({ limit: 9, afterSeq: 5 }), "");
      assert.equal(await ids({ limit: 2, newest: true }), "de");
      assert.equal(await ids({ limit: 2, newest: false }), "ab");
      assert.equal(await ids({ limit: 9, newest: true }), "abcde");
      assert.equal(await ids({ limit: 3, afterSeq: 3, newest: true }), "de");
    },
  },
  {
    name: "entriesOfItem: what one lane item's turn wrote, none of other items; of both sessions where a reset lay between",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane, "a");
      assert.deepEqual(await store.read.entriesOfItem({ itemSeq: 1 }), []);
    },
  },
];
