import { ChannelError, type ChannelErrorClass } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { BusyDesk } from "./busy-desk.ts";
import { GROVE, openThread, THREAD } from "./focus-desk.ts";

/** The platform takes no message that tells of a sub-agent's end. */
function refuseResults(desk: BusyDesk, errorClass: ChannelErrorClass = "permanent"): void {
  desk.refuse = ({ kind }) => (kind === "completion" ? new ChannelError(errorClass, "It is full; wait") : undefined);
}

async function openLost(errorClass?: ChannelErrorClass): Promise<BusyDesk> {
  const desk = await new BusyDesk().start();
  refuseResults(desk, errorClass);
  await desk.says("/spawn --label census work on trees");
  await desk.ends("trees", "12 trees");
  return desk;
}

const statesOf = async (desk: BusyDesk) =>
  (await desk.store.read.deliveries({ limit: 99 })).flatMap(({ kind, state }) =>
    kind === "completion" ? [state] : [],
  );

describe("/retry", () => {
  it("sends again what of a result did not arrive, and says so", async () => {
    const desk = await openLost();
    expect(await statesOf(desk)).toEqual(["undeliverable"]);
    desk.refuse = () => undefined;
    expect(await desk.asks("/retry census")).toEqual([
      "Trying again: what of **census** did not arrive (1 message).",
      expect.stringMatching(/^✅ \*\*census\*\* .*12 trees$/s),
    ]);
    expect(await statesOf(desk)).toEqual(["sent"]);
    expect((await desk.store.read.audit({ limit: 9 })).at(-1)).toMatchObject({
      actor: "irc:ada",
      action: "retry_delivery",
    });
    expect(await desk.ask("/retry census")).toBe("Nothing to send again: no message of **census** has failed.");
  });

  it("does not say that anything arrived, where it is refused again", async () => {
    const desk = await openLost();
    expect(await desk.asks("/retry census")).toEqual(["Trying again: what of **census** did not arrive (1 message)."]);
    expect(await statesOf(desk)).toEqual(["undeliverable"]);
    expect(await desk.asks("/retry census")).toEqual(["Trying again: what of **census** did not arrive (1 message)."]);
  });

  it("without a name means all of the conversation, and says where it may stand here twice", async () => {
    const desk = await new BusyDesk().start();
    refuseResults(desk);
    for (const name of ["a", "b"]) {
      await desk.says(`/spawn --label ${name} work on ${name}`);
      await desk.ends(name, `told ${name}`);
    }
    await desk.says("/spawn --label c work on c");
    desk.refuse = () => undefined;
    const [row] = await desk.store.read.deliveries({ states: ["undeliverable"], limit: 1 });
    await desk.store.commit({
      step: "retry_delivery",
      id: row?.id ?? "",
      audit: { actor: "o", action: "a", detail: "" },
    });
    await desk.store.commit({ step: "attempt", id: row?.id ?? "", owner: "o", attempt: 1 });
    const unclear = { state: "unknown", error: "cut off" } as const;
    await desk.store.commit({ step: "settle", id: row?.id ?? "", attempt: 1, outcome: unclear });
    expect((await desk.asks("/retry"))[0]).toBe(
      "Trying again: what of 2 sub-agents did not arrive (2 messages). Parts of it may appear twice then.",
    );
    expect(await statesOf(desk)).toEqual(["sent_maybe_repeated", "sent"]);
    expect(await desk.ask("/retry")).toBe("Nothing to send again: no message has failed.");
    expect(await desk.ask("/retry c")).toBe("Nothing to send again: **c** has not ended yet.");
  });

  it("knows what is on its way already, and what is not there", async () => {
    const desk = await new BusyDesk().start();
    expect(await desk.ask("/retry")).toBe("There is no sub-agent in this conversation. `/spawn <task>` starts one.");
    refuseResults(desk, "definite");
    await desk.says("/spawn --label census work on trees");
    await desk.ends("trees", "12 trees");
    desk.refuse = ({ kind }) => (kind === "completion" ? new ChannelError("definite", "It is full; wait") : undefined);
    await desk.says("/retry census");
    await desk.later(5_000);
    expect(await statesOf(desk)).toEqual(["pending"]);
    desk.refuse = () => undefined;
    await desk.later(60_000);
    expect(desk.heard()).toContain("Nothing to send again: it is on its way already.");
    expect(await desk.ask("/retry birds")).toMatch(/^Nothing here is called `birds`\. There is:/);
  });

  it("touches nothing of another conversation, also where its whole id is known", async () => {
    const desk = await openLost();
    const [run] = await desk.runs();
    desk.refuse = () => undefined;
    await desk.says("/spawn --label own work on own", "eve");
    expect(await desk.ask(`/retry ${run?.runId}`, "eve")).toMatch(/^Nothing here is called/);
    expect(await statesOf(desk)).toEqual(["undeliverable"]);
    await desk.says(`/retry ${run?.runId}`);
    expect(await statesOf(desk)).toEqual(["sent"]);
  });

  it("leaves alone what is to be told in a sub-agent's own thread, and says where it can be sent again", async () => {
    const desk = await openThread();
    await desk.ends("helper", "helped");
    refuseResults(desk);
    await desk.saysAt(THREAD, "/spawn --label inner work on inner");
    await desk.ends("inner", "12 trees");
    expect(await statesOf(desk)).toContain("undeliverable");
    desk.refuse = () => undefined;
    await desk.saysAt(GROVE, "/retry inner");
    expect(desk.heardAt(GROVE).at(-1)).toMatch(/^Nothing to send again here: it belongs in the conversation/);
    expect(await statesOf(desk)).toContain("undeliverable");
    await desk.saysAt(THREAD, "/retry inner");
    expect(desk.heardAt(THREAD).at(-1)).toMatch(/^✅ \*\*inner\*\*/);
    expect(await statesOf(desk)).not.toContain("undeliverable");
  });

  it("finds a sub-agent by its whole id also when it was put away", async () => {
    const desk = await openLost();
    const [run] = await desk.runs();
    await desk.later(3 * 60 * 60_000);
    expect((await desk.runs())[0]?.archivedAtMs).toBeDefined();
    desk.refuse = () => undefined;
    expect(await desk.ask("/retry census")).toMatch(/^There is no sub-agent in this conversation/);
    expect((await desk.asks(`/retry ${run?.runId}`))[0]).toBe(
      "Trying again: what of **census** did not arrive (1 message).",
    );
    expect(await statesOf(desk)).toEqual(["sent"]);
  });

  it("is written in one step with its answer: what dies behind it is sent by the next process", async () => {
    const desk = await openLost();
    desk.refuse = () => new ChannelError("definite", "It is away; wait");
    await desk.says("/retry census");
    desk.crash();
    const next = await new BusyDesk({ data: desk.data, ports: desk.ports }).start();
    await next.later(60_000);
    expect(next.heard()).toEqual([
      expect.stringMatching(/^(\(may be repeated\)\n)?✅ \*\*census\*\* .*12 trees$/s),
      expect.stringContaining("Trying again: what of **census** did not arrive"),
    ]);
  });
});
