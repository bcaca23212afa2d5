import assert from "node:assert/strict";
import { ada, sampleLinks, sampleMigration, samplePairing, sampleSettle, sampleStranger } from "../sample-route.ts";
import { sampleAccount, sampleDelivery, sampleLane, sampleMessage, sampleReceive } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, receiveOne } from "../store-script.ts";

const stale = { status: "refused", reason: "stale_route" } as const;

export const routeCases: readonly StoreCase[] = [
  {
    name: "routes: what was never written is revision 0 with nothing in it",
    async run(harness) {
      const store = await harness.open();
      assert.deepEqual(await store.read.routes(), {
        revision: 0,
        approved: [],
        links: [],
        chatMoves: [],
        bindings: [],
      });
    },
  },
  {
    name: "routes: one picture of the approved, the links and the moves, in the order in which they were made",
    async run(harness) {
      const store = await harness.open();
      const strangers = ["eve", "dan", "cat"].map((id) => sampleStranger(id, samplePairing(id)));
      await receiveAll(store, strangers);
      await store.commit(sampleSettle("dan", "approved"));
      await store.commit(sampleSettle("eve", "approved"));
      const zoe = { channel: "test", peer: "zoe", person: "p" };
      await store.commit(sampleLinks(2, zoe, { ...ada, person: "p" }));
      await store.commit(sampleMigration());
      await store.commit(sampleMigration({ move: { channel: "test", fromChat: "a", toChat: "b" } }));
      const read = (await harness.reopen?.()) ?? store;
      const { revision, approved, links, chatMoves } = await read.read.routes();
      assert.deepEqual(
        [revision, approved],
        [
          5,
          [
            { ...sampleAccount, senderId: "eve" },
            { ...sampleAccount, senderId: "dan" },
          ],
        ],
      );
      assert.deepEqual(
        links.map(({ peer, person }) => `${peer} ${person}`),
        ["zoe p", "ada p"],
      );
      assert.deepEqual(
        chatMoves.map(({ channel, fromChat, toChat }) => `${channel} ${fromChat} ${toChat}`),
        ["test ada moved", "test a b"],
      );
    },
  },
  {
    name: "routes: messages, pending pairings and denied strangers leave the revision as it is",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("m1"));
      await claimLane(store, sampleLane, "c1");
      await receiveOne(store, sampleStranger("s", samplePairing("eve")));
      await store.commit(sampleSettle("eve", "denied"));
      await store.commit(sampleLinks(0, { ...ada, person: null }));
      assert.equal((await store.read.routes()).revision, 0);
      await store.commit(sampleSettle("eve", "approved"));
      assert.equal((await store.read.routes()).revision, 1);
      await store.commit(sampleSettle("eve", "denied"));
      assert.equal((await store.read.routes()).revision, 2);
    },
  },
  {
    name: "receive: at another route revision, older or newer, refused before anything is written; at the present one stored",
    async run(harness) {
      const store = await harness.open();
      await store.commit(sampleLinks(0, { ...ada, person: "p" }));
      const items = [sampleMessage("m1", { deliveries: [sampleDelivery("d")] })];
      for (const routeRevision of [0, 2]) {
        await assertChangesNothing(store, sampleReceive(items, { cursor: "1", routeRevision }), stale);
      }
      const [result] = await receiveAll(store, items, { routeRevision: 1 });
      assert.equal(result?.outcome, "stored");
    },
  },
  {
    name: "receive: a repeat that was decided on an older revision is answered as it stands, with a new item it is refused",
    async run(harness) {
      const store = await harness.open();
      const step = sampleReceive([sampleMessage("m1", { deliveries: [sampleDelivery("d")] })], { routeRevision: 0 });
      const [first] = await receiveAll(store, step.items, { routeRevision: 0 });
      await store.commit(sampleLinks(0, { ...ada, person: "p" }));
      const again = { outcome: "duplicate", seq: first?.seq ?? 0, deliveries: ["d"] } as const;
      await assertChangesNothing(store, step, { status: "done", items: [again] });
      await assertChangesNothing(store, { ...step, items: [...step.items, sampleMessage("m2")] }, stale);
    },
  },
  {
    name: "audit: the newest ones last, from an id on, or the newest",
    async run(harness) {
      const store = await harness.open();
      for (const detail of ["one", "two", "three"]) {
        const { revision } = await store.read.routes();
        const step = sampleLinks(revision, { ...ada, person: detail });
        await store.commit({ ...step, audit: { actor: "o", action: "link", detail } });
      }
      const details = async (query: { afterId?: number; limit: number }) =>
        (await store.read.audit(query)).map(({ detail }) => detail);
      assert.deepEqual(await details({ limit: 9 }), ["one", "two", "three"]);
      assert.deepEqual(await details({ limit: 2 }), ["two", "three"]);
      const [first] = await store.read.audit({ limit: 9 });
      assert.deepEqual([first?.actor, first?.action], ["o", "link"]);
      assert.deepEqual(await details({ afterId: first?.id ?? 0, limit: 1 }), ["two"]);
      assert.deepEqual(await details({ afterId: 1_000_000, limit: 9 }), []);
    },
  },
];
