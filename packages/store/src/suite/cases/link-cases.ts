import assert from "node:assert/strict";
import type { LinkEffect } from "../../route-steps.ts";
import type { Store } from "../../store.ts";
import { ada, bob, buildLinkCommand, hourMs, sampleLinkCode, sampleLinks } from "../sample-route.ts";
import { sampleAudit, sampleDelivery, sampleLane, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing } from "../store-script.ts";

const conflict = { status: "refused", reason: "conflict" } as const;
const stale = { status: "refused", reason: "stale_route" } as const;
const already = { status: "already" } as const;

async function run(store: Store, id: string, link: Partial<LinkEffect>): Promise<void> {
  const result = await store.commit(await buildLinkCommand(store, id, link));
  assert.equal(result.status, "done", id);
}

async function listLinks(store: Store): Promise<string> {
  const { revision, links } = await store.read.routes();
  return [`at ${revision}`, ...links.map(({ peer, person }) => `${peer} is ${person}`)].join(", ");
}

export const linkCases: readonly StoreCase[] = [
  {
    name: "link: a code is offered, then redeemed from the other account, once; both are linked by one step",
    async run(harness) {
      const store = await harness.open();
      const { ttlMs, ...offered } = sampleLinkCode("one");
      const offer = await buildLinkCommand(store, "/link", { offer: { ...offered, ttlMs } });
      assert.equal((await store.commit(offer)).status, "done");
      await assertChangesNothing(store, offer, already);
      const desk = await store.read.linkDesk({ code: "one", ...bob });
      assert.ok(desk.offer);
      const { expiresAtMs, ...row } = desk.offer;
      assert.deepEqual([row, desk.failures], [offered, 0]);
      assert.ok(expiresAtMs > 0);
      assert.equal(await listLinks(store), "at 0");
      const writes = [
        { ...ada, person: "p" },
        { ...bob, person: "p" },
      ];
      const redeem = await buildLinkCommand(store, "/link one", { redeem: "one", writes, audit: sampleAudit });
      assert.equal((await store.commit(redeem)).status, "done");
      assert.equal(await listLinks(store), "at 1, ada is p, bob is p");
      assert.deepEqual(await store.read.linkDesk({ code: "one", ...bob }), { failures: 0 });
      assert.equal((await store.read.audit({ limit: 9 })).length, 1);
      await assertChangesNothing(store, redeem, already);
      await assertChangesNothing(
        store,
        await buildLinkCommand(store, "/link two", { redeem: "one", writes }),
        conflict,
      );
    },
  },
  {
    name: "link: an unknown or expired code is a conflict that changes nothing of the command",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await run(store, "/link", { offer: sampleLinkCode("one") });
      const writes = [{ ...bob, person: "p" }];
      const unknown = await buildLinkCommand(store, "/a", { redeem: "two", writes, audit: sampleAudit });
      const session = sampleSession(sampleLane, { expectRevision: 1 });
      await assertChangesNothing(store, { ...unknown, session, deliveries: [sampleDelivery("d")] }, conflict);
      await harness.advance?.(hourMs - 1);
      assert.ok((await store.read.linkDesk({ code: "one", ...bob })).offer);
      await harness.advance?.(1);
      assert.equal((await store.read.linkDesk({ code: "one", ...bob })).offer, undefined);
      await assertChangesNothing(store, await buildLinkCommand(store, "/b", { redeem: "one", writes }), conflict);
    },
  },
  {
    name: "link: a new code takes the place of the account's earlier one; one that another account holds is a conflict",
    async run(harness) {
      const store = await harness.open();
      await run(store, "/a", { offer: sampleLinkCode("one") });
      await run(store, "/b", { offer: sampleLinkCode("two") });
      assert.equal((await store.read.linkDesk({ code: "one", ...bob })).offer, undefined);
      assert.equal((await store.read.linkDesk({ code: "two", ...bob })).offer?.peer, "ada");
      const same = await buildLinkCommand(store, "/c", { offer: sampleLinkCode("two", bob) });
      await assertChangesNothing(store, same, conflict);
      await run(store, "/d", { offer: sampleLinkCode("two", { address: "elsewhere" }) });
      assert.equal((await store.read.linkDesk({ code: "two", ...bob })).offer?.address, "elsewhere");
    },
  },
  {
    name: "link: a command decided on another route revision is stale and changes nothing",
    async run(harness) {
      const store = await harness.open();
      await store.commit(sampleLinks(0, { ...ada, person: "p" }));
      for (const routeRevision of [0, 2]) {
        const link = {
          routeRevision,
          offer: sampleLinkCode("one"),
          writes: [{ ...bob, person: "p" }],
          audit: sampleAudit,
        };
        const step = await buildLinkCommand(store, `/at ${routeRevision}`, link);
        await assertChangesNothing(store, { ...step, deliveries: [sampleDelivery("d")] }, stale);
      }
    },
  },
  {
    name: "link: wrong codes are counted by sender, within the window of the last one",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      const failuresOf = async (who: { channel: string; peer: string }) =>
        (await store.read.linkDesk({ code: "none", ...who })).failures;
      await run(store, "/a", { failure: { ...ada, windowMs: hourMs } });
      await harness.advance?.(hourMs - 1);
      await run(store, "/b", { failure: { ...ada, windowMs: hourMs } });
      await harness.advance?.(hourMs - 1);
      assert.deepEqual([await failuresOf(ada), await failuresOf(bob)], [2, 0]);
      await harness.advance?.(1);
      assert.equal(await failuresOf(ada), 0);
      await run(store, "/c", { failure: { ...ada, windowMs: hourMs } });
      assert.equal(await failuresOf(ada), 1);
      assert.equal((await store.read.routes()).revision, 0);
    },
  },
  {
    name: "link: prune takes expired codes and counts of that age and leaves the links",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await run(store, "/a", {
        offer: sampleLinkCode("one"),
        failure: { ...ada, windowMs: hourMs },
        writes: [{ ...ada, person: "p" }],
        audit: sampleAudit,
      });
      await harness.advance?.(10 * hourMs);
      await store.commit({ step: "prune", olderThanMs: 0, limit: 99 });
      assert.equal(await listLinks(store), "at 1, ada is p");
      assert.equal((await store.read.audit({ limit: 9 })).length, 1);
      await harness.advance?.(-9.5 * hourMs);
      assert.deepEqual(await store.read.linkDesk({ code: "one", ...ada }), { failures: 0 });
    },
  },
  {
    name: "link: prune leaves codes, counts and strangers that have not expired",
    async run(harness) {
      const store = await harness.open();
      await run(store, "/a", { offer: sampleLinkCode("one"), failure: { ...ada, windowMs: hourMs } });
      await store.commit({ step: "prune", olderThanMs: 0, limit: 99 });
      const desk = await store.read.linkDesk({ code: "one", ...ada });
      assert.deepEqual([desk.offer?.code, desk.failures], ["one", 1]);
    },
  },
  {
    name: "set_links: links, links anew and unlinks; the revision grows with what changes only; a repeat is already",
    async run(harness) {
      const store = await harness.open();
      const step = sampleLinks(0, { ...ada, person: "p" }, { ...bob, person: "p" });
      assert.deepEqual(await store.commit(step), { status: "done" });
      await assertChangesNothing(store, step, already);
      const [first] = (await store.read.routes()).links;
      await harness.advance?.(1_000);
      await store.commit(sampleLinks(1, { ...ada, person: "p" }, { ...bob, person: "q" }));
      assert.equal(await listLinks(store), "at 2, ada is p, bob is q");
      assert.deepEqual((await store.read.routes()).links[0], first);
      await store.commit(sampleLinks(2, { ...ada, person: null }));
      assert.equal(await listLinks(store), "at 3, bob is q");
      await assertChangesNothing(store, sampleLinks(0, { ...ada, person: null }), already);
      assert.equal((await store.read.audit({ limit: 9 })).length, 3);
    },
  },
  {
    name: "set_links: decided on another revision it is stale and changes nothing",
    async run(harness) {
      const store = await harness.open();
      await store.commit(sampleLinks(0, { ...ada, person: "p" }));
      for (const routeRevision of [0, 2]) {
        await assertChangesNothing(store, sampleLinks(routeRevision, { ...bob, person: "p" }), stale);
      }
    },
  },
];
