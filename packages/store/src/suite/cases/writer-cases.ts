import assert from "node:assert/strict";
import type { ExpectedWriters } from "../../route-steps.ts";
import type { Store } from "../../store.ts";
import {
  ada,
  bob,
  buildLinkCommand,
  sampleLinkCode,
  sampleLinks,
  samplePairing,
  sampleRekey,
  sampleSettle,
  sampleStranger,
} from "../sample-route.ts";
import { otherLane, sampleDelivery, sampleLane, sampleMessage } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, receiveOne } from "../store-script.ts";

const conflict = { status: "refused", reason: "conflict" } as const;
const stale = { status: "refused", reason: "stale_route" } as const;
const done = { status: "done" } as const;
const sessionKeys: readonly string[] = [sampleLane, otherLane];

/** Ada in the one session, Bob in the other: no judgement but the true one holds. */
async function openWritten(store: Store): Promise<readonly ExpectedWriters[]> {
  await receiveOne(store, sampleMessage("m1", { writer: ada }));
  await receiveOne(store, sampleMessage("m2", { lane: otherLane, writer: bob }));
  const written = { sessionKey: sampleLane, ...ada };
  const other = { sessionKey: otherLane, ...bob };
  const wrong = [[], [written], [written, { ...other, ...ada }], [written, other, { ...other, ...ada }]];
  return wrong.map((writers) => ({ sessionKeys, writers }));
}

async function readWritten(store: Store): Promise<ExpectedWriters> {
  return { sessionKeys, writers: (await Promise.all(sessionKeys.map((key) => store.read.writers(key)))).flat() };
}

export const writerCases: readonly StoreCase[] = [
  {
    name: "expected writers: links that were decided by others than stand in the sessions are a conflict",
    async run(harness) {
      const store = await harness.open();
      const step = sampleLinks(0, { ...ada, person: "p" });
      for (const expectWriters of await openWritten(store))
        await assertChangesNothing(store, { ...step, expectWriters }, conflict);
      const { writers } = await readWritten(store);
      const expectWriters = { sessionKeys: sessionKeys.toReversed(), writers: writers.toReversed() };
      assert.deepEqual(await store.commit({ ...step, expectWriters }), done);
      const late = { sessionKeys, writers: [] };
      await assertChangesNothing(store, { ...step, expectWriters: late }, { status: "already" });
    },
  },
  {
    name: "expected writers: the same of a command's links, which changes nothing of the command then",
    async run(harness) {
      const store = await harness.open();
      const [wrong] = await openWritten(store);
      assert.ok(wrong);
      const writes = [{ ...ada, person: "p" }];
      const step = await buildLinkCommand(store, "/link", { writes, expectWriters: wrong });
      await assertChangesNothing(store, { ...step, deliveries: [sampleDelivery("d")] }, conflict);
      const right = await buildLinkCommand(store, "/again", { writes, expectWriters: await readWritten(store) });
      assert.equal((await store.commit(right)).status, "done");
    },
  },
  {
    name: "expected writers: a session with one writer more than was judged stays where it is",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("m1", { writer: ada }));
      const judged = { sessionKeys: [sampleLane], writers: await store.read.writers(sampleLane) };
      await receiveOne(store, sampleMessage("m2", { writer: bob }));
      await assertChangesNothing(store, { ...sampleRekey(), expectWriters: judged }, conflict);
      const anew = { sessionKeys: [sampleLane], writers: await store.read.writers(sampleLane) };
      assert.deepEqual(await store.commit({ ...sampleRekey(), expectWriters: anew }), done);
    },
  },
  {
    name: "route revision: a rekey and a word about a stranger that were decided on another one are stale",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("m1", { writer: ada }));
      await receiveOne(store, sampleStranger("m2", samplePairing("eve")));
      await store.commit(sampleLinks(0, { ...ada, person: "p" }));
      for (const routeRevision of [0, 2]) {
        await assertChangesNothing(store, { ...sampleRekey(), routeRevision }, stale);
        await assertChangesNothing(store, sampleSettle("eve", "approved", { routeRevision }), stale);
      }
      assert.deepEqual(await store.commit({ ...sampleRekey(), routeRevision: 1 }), done);
      const settle = sampleSettle("eve", "approved", { routeRevision: 1 });
      assert.deepEqual(await store.commit(settle), done);
      await assertChangesNothing(store, settle, { status: "already" });
    },
  },
  {
    name: "link: an account's open code is voided, that of another one is not",
    async run(harness) {
      const store = await harness.open();
      for (const [code, who] of [["one", ada] as const, ["two", bob] as const]) {
        const offer = await buildLinkCommand(store, `/link ${code}`, { offer: sampleLinkCode(code, who) });
        assert.equal((await store.commit(offer)).status, "done");
      }
      await store.commit(await buildLinkCommand(store, "/unlink", { voidOffer: ada }));
      assert.equal((await store.read.linkDesk({ code: "one", ...bob })).offer, undefined);
      assert.equal((await store.read.linkDesk({ code: "two", ...ada })).offer?.peer, "bob");
    },
  },
];
