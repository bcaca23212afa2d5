import { formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";
import { ADA, ask, BOB, createGate, dyingAt, readTold, spawn, type Told } from "./tool-desk.ts";

const OPEN = { options: { sessionTools: { visibility: "all" } } } as const;

describe("agents that write to each other", () => {
  it("stop after five messages", async () => {
    const desk = await new TreeDesk(OPEN).start();
    await desk.says("hello", "bob");
    const told: Told[] = [];
    desk.plays(/^ping/, async ({ input, call }) => {
      const other = input.turnId.startsWith(ADA) ? BOB : ADA;
      told.push(readTold(await call("sessions_send", { sessionKey: other, message: "ping", timeoutSeconds: 0 })));
      return "pong";
    });
    await desk.says("ping");
    expect(told.map(({ status }) => status)).toEqual(["sent", "sent", "sent", "sent", "sent", "forbidden"]);
    expect(told.at(-1)?.error).toContain("5 messages between agents");
    told.length = 0;
    await desk.says("ping");
    expect(told[0]?.status).toBe("sent");
  });

  it("stop also where each answer is a run's completion, and where a child is in between", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "echo");
    const told: Told[] = [];
    desk.plays(/^once more/, () => "echo");
    desk.plays(/^begin|“echo” has finished/, async ({ call }) => {
      told.push(readTold(await call("sessions_send", { sessionKey: key, message: "once more", timeoutSeconds: 0 })));
      return "NO_REPLY";
    });
    await desk.says("begin");
    expect(told.map(({ status }) => status)).toEqual(["sent", "sent", "sent", "sent", "sent", "forbidden"]);
    let hops: number | undefined;
    desk.plays(/^inner/, ({ input }) => `${input.turnId}`);
    desk.plays(/^spawn one/, async ({ call }) => {
      await call("sessions_spawn", { task: "inner", label: "inner" });
      return "NO_REPLY";
    });
    await ask(desk, "sessions_send", { sessionKey: key, message: "spawn one" });
    for (const step of desk.steps) {
      if (step.step === "accept_run" && step.item.body.includes('"inner"')) hops = JSON.parse(step.item.body).hops;
    }
    expect(hops).toBe(1);
  });
});

describe("a turn that answers to several completions", () => {
  it("is as far from a person as the farthest of them", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "echo");
    const gate = createGate();
    desk.plays(/^once more/, () => "echo");
    desk.plays(/^quick/, () => "done");
    desk.plays(/“q”/, async ({ input, call }) => {
      expect(input.input).toHaveLength(2);
      await call("sessions_send", { sessionKey: key, message: "and once more", timeoutSeconds: 0 });
      return "NO_REPLY";
    });
    desk.plays(/^busy/, async ({ call, ...turn }) => {
      await call("sessions_spawn", { task: "quick", label: "q" });
      await call("subagents", { action: "wait" });
      await call("sessions_send", { sessionKey: key, message: "once more", timeoutSeconds: 0 });
      await gate.player({ call, ...turn });
      return "NO_REPLY";
    });
    await desk.says("busy");
    gate.open();
    await desk.rest();
    const hops = desk.steps.flatMap((step) =>
      step.step === "accept_run" ? [JSON.parse(step.item.body)].filter(({ text }) => /once more/.test(text)) : [],
    );
    expect(hops.map(({ hops: count }) => count)).toEqual([1, 2]);
  });
});

describe("a turn that runs again", () => {
  it.each(["enqueue", "tool_result"] as const)("sends once where the process died behind %s", async (death) => {
    const fault = dyingAt(({ step }, when) => step === death && when === (death === "enqueue" ? "after" : "before"));
    const first = new TreeDesk({ ...OPEN, fault });
    await first.start();
    await first.says("hello", "bob");
    const play = (desk: TreeDesk) =>
      desk
        .plays(/^hi bob/, () => "hi ada")
        .plays(/^greet/, async ({ call }) => {
          const told = readTold(await call("sessions_send", { sessionKey: BOB, message: "hi bob" }));
          return `bob says ${told.reply}`;
        });
    play(first);
    await first.says("greet");
    expect(first.heard()).toEqual([]);
    const second = play(new TreeDesk({ ...OPEN, data: first.data }));
    await second.start();
    await second.rest();
    expect(second.heard()).toEqual(["bob says hi ada"]);
    expect((await second.lines(BOB)).filter((line) => line === "user: hi bob")).toHaveLength(1);
  });

  it.each(["reserve_run", "accept_run", "tool_result"] as const)(
    "opens one run where it died behind %s",
    async (death) => {
      let isArmed = false;
      const isDeath = dyingAt(
        ({ step }, when) => isArmed && step === death && when === (death === "tool_result" ? "before" : "after"),
      );
      const first = await new TreeDesk({ fault: isDeath }).start();
      const { key } = await spawn(first, "docs");
      const play = (desk: TreeDesk) =>
        desk
          .plays(/^how many/, () => "12")
          .plays(/“docs” has finished/, () => "NO_REPLY")
          .plays(/^count/, async ({ call }) => {
            const told = readTold(await call("sessions_send", { sessionKey: key, message: "how many?" }));
            return `it says ${told.reply}`;
          });
      play(first);
      isArmed = true;
      await first.says("count");
      const second = play(new TreeDesk({ data: first.data }));
      await second.start();
      await second.rest();
      expect(second.heard()[0]).toBe("it says 12");
      const sent = (await second.runs()).filter(({ dedupe }) => dedupe.startsWith("send|"));
      // One that was only reserved is undone by the next start.
      expect(sent.filter(({ endedReason }) => endedReason !== "spawn-failed")).toHaveLength(1);
      expect((await second.lines(key)).filter((line) => line === "user: how many?")).toHaveLength(1);
    },
  );

  it("is told of the thread that it has opened, too", async () => {
    const THREAD = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove", thread: "7" });
    const play = (desk: TreeDesk) => {
      desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
        status: "ok",
        threadBindingReady: true,
        binding: { id: bindingId, address: THREAD },
      }));
      const args = { task: "part", label: "p", thread: true, mode: "session" };
      return desk.plays(/^split/, async ({ call }) => JSON.parse((await call("sessions_spawn", args)).text).thread);
    };
    const first = play(new TreeDesk({ fault: dyingAt(({ step }) => step === "tool_result") }));
    await first.start();
    await first.says("split");
    const second = play(new TreeDesk({ data: first.data }));
    await second.start();
    await second.rest();
    expect(second.heard()[0]).toBe(THREAD);
  });

  it("spawns once where the process died before the result was stored", async () => {
    const first = await new TreeDesk({ fault: dyingAt(({ step }) => step === "tool_result") }).start();
    const play = (desk: TreeDesk) =>
      desk
        .plays(
          /^split/,
          async ({ call }) => readTold(await call("sessions_spawn", { task: "part", label: "p" })).status,
        )
        .plays(/^part/, () => "done")
        .plays(/“p” has finished/, () => "NO_REPLY");
    play(first);
    await first.says("split");
    const second = play(new TreeDesk({ data: first.data }));
    await second.start();
    await second.rest();
    expect(second.heard()[0]).toBe("accepted");
    expect(await second.runs()).toHaveLength(1);
  });
});
