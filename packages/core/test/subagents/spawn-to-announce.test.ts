import { describe, expect, it } from "vitest";
import { ADA, TreeDesk } from "./tree-desk.ts";

describe("a sub-agent that an agent asks for", () => {
  it("does its task in a session of its own, and its requester tells the chat", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^count/, async ({ call }) => {
      await call("sessions_spawn", { task: "look into docs", label: "docs" });
      return "I asked a sub-agent.";
    });
    desk.plays(/^look into docs/, () => "12 files");
    desk.plays(/The sub-agent “docs” has finished/, ({ input }) => `It found ${input.input[0]?.completion?.result}.`);
    await desk.says("count the files");
    expect(desk.heard()).toEqual(["I asked a sub-agent.", "It found 12 files."]);
    expect(desk.sent.map(({ kind }) => kind)).toEqual(["reply", "completion"]);
    expect(await desk.lines()).toEqual([
      "user: count the files",
      "tool_call: sessions_spawn",
      expect.stringContaining("accepted"),
      "assistant: I asked a sub-agent.",
      "completion: done 12 files",
      "assistant: It found 12 files.",
    ]);
    const [run] = await desk.runs();
    expect(run).toMatchObject({ state: "ended", endedReason: "complete", settledBy: "parent", toldSessionKey: ADA });
    expect(await desk.lines(run?.childSessionKey)).toEqual(["user: look into docs", "assistant: 12 files"]);
  });

  it("ends in the step that stores its answer, with what its requester is told", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^count/, async ({ call }) => {
      await call("sessions_spawn", { task: "look into docs", label: "docs" });
      return "I asked a sub-agent.";
    });
    desk.plays(/^look into docs/, () => "12 files");
    await desk.says("count the files");
    const [run] = await desk.runs();
    const ending = desk.steps.filter((step) => step.step === "end_runs" || "run" in step);
    expect(ending.filter(({ step }) => step !== "reserve_run")).toMatchObject([
      {
        step: "commit_turn",
        lane: run?.childSessionKey,
        entries: [{}, {}],
        run: { runId: run?.runId, ends: [{ runId: run?.runId, completion: { lane: ADA } }] },
      },
    ]);
  });

  it("is told of once, merged, when several are done", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^split/, async ({ call }) => {
      for (const part of ["a", "b", "c"]) await call("sessions_spawn", { task: `part ${part}`, label: part });
      return "three are at work";
    });
    desk.plays(/^part/, ({ text }) => text.toUpperCase());
    desk.plays(/sub-agent/, async ({ input }) => {
      const known = (await input.history()).filter(({ kind }) => kind === "completion").length + input.input.length;
      return known < 3 ? "NO_REPLY" : "all three";
    });
    await desk.says("split it");
    expect(desk.heard()).toEqual(["three are at work", "all three"]);
    expect((await desk.runs()).map(({ settledBy }) => settledBy)).toEqual(["parent", "parent", "parent"]);
  });

  it("is told of by the host where its requester keeps silent", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "NO_REPLY";
    });
    desk.plays(/^work/, () => "the result");
    desk.plays(/sub-agent/, () => "NO_REPLY");
    await desk.says("go");
    expect(desk.heard()).toEqual([expect.stringMatching(/^✅ \*\*w\*\* · done in .*\n\nthe result$/s)]);
    expect((await desk.runs())[0]?.settledBy).toBe("host");
  });

  it("waits for its own, and its answer is what travels up", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^top/, async ({ call }) => {
      await call("sessions_spawn", { task: "middle", label: "m" });
      return "asked";
    });
    desk.plays(/^middle/, async ({ call }) => {
      for (const leaf of ["x", "y"]) await call("sessions_spawn", { task: `leaf ${leaf}`, label: leaf });
      return "waiting for leaves";
    });
    desk.plays(/^leaf/, ({ text }) => `done ${text}`);
    desk.plays(/“[xy]”/, ({ input }) => `both: ${input.input.map(({ completion }) => completion?.result).join(" + ")}`);
    desk.plays(/“m”/, ({ input }) => `m says ${input.input[0]?.completion?.result}`);
    await desk.says("top");
    expect(desk.heard()).toEqual(["asked", "m says both: done leaf x + done leaf y"]);
    expect((await desk.runs()).map(({ state, settledBy }) => [state, settledBy])).toEqual([
      ["ended", "parent"],
      ["ended", "nobody"],
      ["ended", "nobody"],
    ]);
  });
});

describe("a sub-agent that a person asks for", () => {
  it("is answered for by the host, and the agent knows of it", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^count words/, () => "4 words");
    await desk.says("/spawn --label words count words in docs");
    expect(desk.heard()).toEqual([
      expect.stringMatching(/^🌱 \*\*words\*\* is at work \(`[0-9a-f]{8}`\)\.$/),
      expect.stringMatching(/^✅ \*\*words\*\* · done in .*\n\n4 words$/s),
    ]);
    expect(await desk.lines()).toEqual(["completion: done 4 words"]);
    expect((await desk.runs())[0]).toMatchObject({ state: "ended", settledBy: "host" });
  });
});
