import { expect, it } from "vitest";
import { openTestStore } from "../open-test-store.ts";
import { buildRow, OutboxDesk } from "./outbox-desk.ts";

it("a message that a dead process was sending says so, by the time that it was written down", async () => {
  for (const policy of ["at-least-once", "effectively-once"] as const) {
    const store = openTestStore({ clock: { now: () => 990_000 } });
    const earlier = new OutboxDesk({ store });
    await earlier.write([{ ...buildRow("a", { policy }), sendingOwner: "owner" }, buildRow("b", { policy })]);
    await store.commit({ step: "recover", owner: "later" });
    const desk = new OutboxDesk({ store });
    await desk.connect();
    expect(desk.sent).toMatchObject([
      { deliveryId: "a", attempt: 2, createdAt: 990_000, mayHaveArrived: true },
      { deliveryId: "b", attempt: 1, createdAt: 990_000, mayHaveArrived: false },
    ]);
    // Who knows better takes the mark off the text.
    const [{ text, repeatMark = "" } = { text: "" }, other] = desk.sent;
    expect([text.slice(repeatMark.length), other?.repeatMark]).toEqual(["text a.0", undefined]);
    expect(repeatMark !== "").toBe(policy === "at-least-once");
  }
});
