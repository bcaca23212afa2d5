import assert from "node:assert/strict";
import { movedAddress, sampleMigration } from "../sample-route.ts";
import { sampleAddress, sampleDelivery } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, getDelivery, writeDelivery } from "../store-script.ts";

const anchor = (id: string, attempt: number, anchorId: string, chat: string = sampleAddress) =>
  ({ step: "anchor", id, attempt, chat, anchorId }) as const;
const policy = "anchor" as const;

export const anchorCases: readonly StoreCase[] = [
  {
    name: "anchor: what was sent first is kept over attempts, and a later one takes its place",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("d", { policy, sendingOwner: "o" }));
      assert.deepEqual(await store.commit(anchor("d", 1, "p1")), { status: "done" });
      await assertChangesNothing(store, anchor("d", 1, "p1"), { status: "already" });
      const outcome = { state: "pending", error: "429", retryInMs: 0 } as const;
      await store.commit({ step: "settle", id: "d", attempt: 1, outcome });
      assert.equal((await getDelivery(store, "d")).anchorId, "p1");
      await store.commit({ step: "attempt", id: "d", owner: "o", attempt: 2 });
      assert.deepEqual(await store.commit(anchor("d", 2, "p2")), { status: "done" });
      await store.commit({ step: "settle", id: "d", attempt: 2, outcome: { state: "sent", platformId: "p2" } });
      const row = await getDelivery(store, "d");
      assert.deepEqual([row.anchorId, row.platformId], ["p2", "p2"]);
    },
  },
  {
    name: "anchor: only of the attempt that is under way",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("d", { policy }));
      for (const attempt of [0, 1]) await assertChangesNothing(store, anchor("d", attempt, "p"), { status: "fenced" });
      await store.commit({ step: "attempt", id: "d", owner: "o", attempt: 1 });
      await assertChangesNothing(store, anchor("d", 2, "p"), { status: "fenced" });
      await assertChangesNothing(store, anchor("none", 1, "p"), { status: "fenced" });
      await store.commit({ step: "settle", id: "d", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      await assertChangesNothing(store, anchor("d", 1, "late"), { status: "fenced" });
      assert.equal((await getDelivery(store, "d")).anchorId, undefined);
    },
  },
  {
    name: "anchor: one that was sent is about to be changed, where it stands",
    async run(harness) {
      const store = await harness.open();
      for (const [id, state] of [
        ["d", "sent"],
        ["again", "sent_maybe_repeated"],
      ] as const) {
        await writeDelivery(store, sampleDelivery(id, { sendingOwner: "o" }));
        await store.commit({ step: "settle", id, attempt: 1, outcome: { state, platformId: "p" } });
        await assertChangesNothing(store, anchor(id, 2, "p"), { status: "fenced" });
        await assertChangesNothing(store, anchor(id, 1, "p", movedAddress), { status: "fenced" });
        assert.deepEqual(await store.commit(anchor(id, 1, "p")), { status: "done" });
        await assertChangesNothing(store, anchor(id, 1, "p"), { status: "already" });
        const row = await getDelivery(store, id);
        assert.deepEqual([row.state, row.anchorId, row.platformId], [state, "p", "p"]);
      }
    },
  },
  {
    name: "anchor: of a row whose edit is refused, it is kept, and the row is sent by itself from then on",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("d", { policy, sendingOwner: "o" }));
      const refused = (attempt: number) => ({ ...anchor("d", attempt, "p1"), isRefused: true }) as const;
      await assertChangesNothing(store, refused(2), { status: "fenced" });
      await store.commit(anchor("d", 1, "p1"));
      assert.deepEqual(await store.commit(refused(1)), { status: "done" });
      await assertChangesNothing(store, refused(1), { status: "already" });
      await store.commit({ step: "recover", owner: "next" });
      const { state, policy: kept, anchorId, maybeRepeated } = await getDelivery(store, "d");
      assert.deepEqual([state, kept, anchorId, maybeRepeated], ["pending", "at-least-once", "p1", true]);
      await store.commit({ step: "attempt", id: "d", owner: "next", attempt: 2 });
      await store.commit({ step: "settle", id: "d", attempt: 2, outcome: { state: "sent", platformId: "p1" } });
      await assertChangesNothing(store, refused(2), { status: "fenced" });
    },
  },
  {
    name: "anchor: is forgotten when the chat moves, and one sent to the old chat is not stored any more",
    async run(harness) {
      const store = await harness.open();
      const thread = `${sampleAddress}/7`;
      for (const more of [{}, { address: thread }])
        await writeDelivery(store, sampleDelivery(more.address ?? "d", { policy, sendingOwner: "o", ...more }));
      for (const id of ["d", thread]) await store.commit(anchor(id, 1, "p1"));
      const inThread = sampleMigration({ addresses: [{ from: thread, to: `${sampleAddress}/8` }] });
      await store.commit(inThread);
      const moved = await getDelivery(store, thread);
      assert.deepEqual([moved.address, moved.anchorId], [`${sampleAddress}/8`, "p1"]);
      await store.commit(sampleMigration());
      for (const id of ["d", thread]) {
        const row = await getDelivery(store, id);
        assert.deepEqual([row.state, row.chat, "anchorId" in row], ["sending", movedAddress, false]);
        await assertChangesNothing(store, anchor(id, 1, "p2"), { status: "fenced" });
        assert.deepEqual(await store.commit(anchor(id, 1, "p3", movedAddress)), { status: "done" });
        assert.equal((await getDelivery(store, id)).anchorId, "p3");
      }
    },
  },
  {
    name: "settle: what was sent before its chat moved stands in the old chat, and nothing else does",
    async run(harness) {
      const store = await harness.open();
      const sentTo = { address: `${sampleAddress}/7`, chat: sampleAddress };
      for (const id of ["sent", "lost", "new"])
        await writeDelivery(store, sampleDelivery(id, { policy, sendingOwner: "o", address: sentTo.address }));
      await store.commit(sampleMigration());
      const outcome = { state: "sent", platformId: "p1" } as const;
      const settle = { step: "settle", id: "sent", attempt: 1, outcome, sentTo } as const;
      assert.deepEqual(await store.commit(settle), { status: "done" });
      await assertChangesNothing(store, settle, { status: "already" });
      const lost = { state: "unknown", error: "cut off" } as const;
      await store.commit({ ...settle, id: "lost", outcome: lost });
      const moved = { address: `${movedAddress}/7`, chat: movedAddress };
      await store.commit({ ...settle, id: "new", sentTo: moved });
      const rows = await Promise.all(["sent", "lost", "new"].map((id) => getDelivery(store, id)));
      const places = rows.map(({ address, chat }) => ({ address, chat }));
      assert.deepEqual(places, [sentTo, moved, moved]);
      const standing = (await store.read.history({ address: sentTo.address, limit: 10 })) ?? [];
      assert.deepEqual(
        standing.map(({ id }) => id),
        ["sent"],
      );
    },
  },
  {
    name: "anchor: the first row that claims a message has it; another is written without",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("status"));
      assert.equal(await store.read.claimant("status"), undefined);
      await writeDelivery(store, sampleDelivery("first", { policy, claims: "status" }));
      await writeDelivery(store, sampleDelivery("second", { policy, claims: "status" }));
      assert.equal((await store.read.claimant("status"))?.id, "first");
      assert.equal((await getDelivery(store, "first")).claims, "status");
      assert.equal("claims" in (await getDelivery(store, "second")), false);
    },
  },
  {
    name: "anchor: whoever claimed a message is forgotten with its row",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("first", { policy, claims: "status", sendingOwner: "o" }));
      await store.commit({ step: "settle", id: "first", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      await store.commit({ step: "prune", olderThanMs: 0, limit: 10 });
      assert.equal(await store.read.claimant("status"), undefined);
      await writeDelivery(store, sampleDelivery("second", { policy, claims: "status" }));
      assert.equal((await store.read.claimant("status"))?.id, "second");
    },
  },
];
