import { StoreError } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildDelivery, buildReceive, buildSession, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const PAGE_BYTES = 4_096;

describe("on a full disk", () => {
  test("the step that does not fit is refused whole, others in its batch are committed, and the store lives on", async () => {
    const store = await openTestStore({ stateDir: createTemporaryFolder(), maxPages: 80 });
    await store.commit(buildWriteSession("w1"));
    const large = "x".repeat(60 * PAGE_BYTES);
    const outcomes = await Promise.allSettled([
      store.commit(buildAppend("before")),
      store.commit(buildReceive("m1", { body: large, deliveries: [buildDelivery("d1.0")] })),
      store.commit(buildAppend("after")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const refusal = outcomes[1]?.status === "rejected" ? outcomes[1].reason : undefined;
    expect(refusal).toBeInstanceOf(StoreError);
    expect(refusal).toMatchObject({ code: "full" });

    expect(await store.read.delivery("d1.0")).toBeUndefined();
    expect(await store.read.cursor("test", "one")).toBeUndefined();
    expect(await store.read.lane(adaKey)).toMatchObject({ epoch: 0, waiting: 0 });
    expect(await store.read.entries({ sessionId: "ada-1", limit: 10 })).toMatchObject([
      { id: "before" },
      { id: "after" },
    ]);
    expect(await store.commit(buildReceive("m1"))).toMatchObject({ items: [{ outcome: "stored" }] });
  });

  test("a step that nothing can store is a fault of the program, and takes no other along", async () => {
    const store = await openTestStore({ stateDir: createTemporaryFolder() });
    const broken = { ...buildSession(), body: Object.create(null) };
    const outcomes = await Promise.allSettled([
      store.commit(buildWriteSession("w1")),
      store.commit({ step: "write_session", writeId: "w2", session: { ...broken, key: "other" } }),
      store.commit(buildAppend("after")),
    ]);
    expect(outcomes).toMatchObject([
      { value: { status: "done" } },
      { reason: { code: "unusable" } },
      { value: { status: "done" } },
    ]);
  });
});
