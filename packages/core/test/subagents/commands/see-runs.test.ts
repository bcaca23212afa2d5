import { describe, expect, it } from "vitest";
import { ADA } from "../tree-desk.ts";
import { BusyDesk, blockOf } from "./busy-desk.ts";

const NONE = "There is no sub-agent in this conversation. `/spawn <task>` starts one.";

/** One that is done, one at work with two below it. */
async function openBusy(): Promise<BusyDesk> {
  const desk = await new BusyDesk().start();
  await desk.says("/spawn --label quick do it");
  await desk.says("/spawn --label words split words a b");
  return desk;
}

describe("a conversation without sub-agents", () => {
  it.each([
    "/subagents",
    "/subagents list",
    "/subagents info",
    "/subagents log 1",
    "/subagents send 1 x",
    "/subagents wait",
    "/tree",
    "/kill",
    "/kill 1",
    "/focus",
    "/focus 1",
  ])("%s says so, and how to start one", async (line) => {
    const desk = await new BusyDesk().start();
    expect(await desk.ask(line)).toBe(NONE);
  });

  it("has nothing that all could be stopped of, no focus, and no expiry", async () => {
    const desk = await new BusyDesk().start();
    expect(await desk.ask("/kill all")).toBe("Nothing is at work here; there is nothing to stop.");
    expect(await desk.ask("/unfocus")).toBe(
      "Here you talk with the agent **main**; no sub-agent has this conversation.",
    );
    expect(await desk.ask("/session")).toMatch(/^No sub-agent has this conversation, so it never expires/);
    expect(await desk.ask("/session idle 2h")).toMatch(/never expires/);
  });
});

describe("/subagents", () => {
  it("lists them with their numbers, states and times", async () => {
    const desk = await openBusy();
    await desk.ports.clock.advance(12_000);
    const answer = await desk.ask("/subagents");
    expect(answer.split("\n")[0]).toBe("3 at work, 4 in all.");
    expect(blockOf(answer)).toEqual([
      "1  quick  done     0.0 s  re: do it",
      "2  words  running  12 s",
      "3  a      running  12 s",
      "4  b      running  12 s",
    ]);
    expect(await desk.ask("/subagents LIST")).toBe(answer);
  });

  it("shows the newest of many, under the numbers they have", async () => {
    const desk = await new BusyDesk().start();
    for (let count = 1; count <= 18; count += 1) await desk.says(`/spawn --label n${count} do ${count}`);
    const answer = await desk.ask("/subagents");
    expect(blockOf(answer)).toHaveLength(15);
    expect(blockOf(answer)[0]).toMatch(/^4 +n4 /);
    expect(answer).toContain("… and 3 older.");
    expect(await desk.ask("/subagents info 2")).toContain("**n2** · done");
  });

  it("answers a word that is none of its own, and help, with those that are", async () => {
    const desk = await openBusy();
    for (const line of ["/subagents dance", "/subagents help", "/subagents {}", "/subagents constructor"]) {
      expect(await desk.ask(line)).toContain("`/subagents info 1` all about one");
    }
  });

  it("tells all about one: by number, by name however it is written, by the beginning of its id", async () => {
    const desk = await openBusy();
    await desk.ports.clock.advance(3_000);
    const [, words] = await desk.runs();
    const info = await desk.ask("/subagents info 2");
    expect(info.split("\n")).toEqual([
      "**words** · running, 3.0 s so far",
      "- agent **main**, mode run",
      "- asked for 3.0 s ago, began 3.0 s ago",
      `- run \`${words?.runId}\``,
      `- session \`${words?.childSessionKey}\``,
      "",
      "Its task:",
      "> split words a b",
      "",
      "Its result comes here by itself; there is no need to wait.",
    ]);
    for (const target of ["#2", "WORDS", '"words"', words?.runId.slice(0, 6), words?.childSessionKey])
      expect(await desk.ask(`/subagents info ${target}`)).toBe(info);
    expect(await desk.ask("/subagents info a")).toContain("- asked for by **words**");
    expect(await desk.ask("/subagents info 1")).toContain("Its result:\n> re: do it");
  });

  it("asks which one is meant, and shows what there is where nothing is called so", async () => {
    const desk = await openBusy();
    expect(await desk.ask("/subagents log")).toContain("Which one?");
    const unknown = await desk.ask("/subagents info `nobody`");
    expect(unknown).toContain("Nothing here is called `'nobody'`.");
    expect(blockOf(unknown)).toHaveLength(4);
    await desk.says("/spawn --label quick do it again");
    expect(await desk.ask("/subagents info quick")).toBe(
      "Several are called `quick`: number 1 (done), 5 (done). Say which by its number.",
    );
  });

  it("spawns like /spawn", async () => {
    const desk = await new BusyDesk().start();
    expect(await desk.asks("/subagents spawn --label x do it")).toEqual([
      expect.stringMatching(/^🌱 \*\*x\*\* is at work/),
      expect.stringMatching(/^✅ \*\*x\*\*/),
    ]);
    expect(await desk.ask("/subagents spawn")).toMatch(/^What is the task\?/);
  });
});

describe("/tree", () => {
  it("draws what hangs below what, in a block", async () => {
    const desk = await openBusy();
    const answer = await desk.ask("/tree");
    expect(answer.split("\n")[0]).toBe("3 at work, 4 in all.");
    expect(blockOf(answer)).toEqual([
      "├ quick   done      0.0 s   re: do it",
      "└ words   running   0.0 s",
      "  ├ a     running   0.0 s",
      "  └ b     running   0.0 s",
    ]);
  });

  it("holds together whatever somebody calls his sub-agents", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label '``` **x** @everyone' do it");
    for (const line of ["/tree", "/subagents"]) {
      const answer = await desk.ask(line);
      expect(answer.split("```")).toHaveLength(3);
    }
  });
});

describe("/agents", () => {
  const agent = (runtime: string, allowAgents: readonly string[] = []) => ({
    runtime,
    workspace: "/workspace",
    tools: { deny: [] },
    subagents: { allowAgents },
  });

  it("names who answers, who may be given a task, and with which models", async () => {
    const agents = { main: agent("played", ["scout"]), other: agent("played"), scout: agent("gone") };
    const desk = await new BusyDesk({ agents }).start();
    expect((await desk.ask("/agents")).split("\n")).toEqual([
      "- **main** (played), answers here",
      "- **scout** (gone); its runtime does not answer now",
      "",
      "`/spawn <task>` gives a task to a sub-agent of **main**, `/spawn --agent scout <task>` to another.",
    ]);
  });

  it("offers none that a spawn would refuse for its sandbox", async () => {
    const agents = { main: agent("played", ["*"]), open: { ...agent("played"), sandbox: "off" } as const };
    const desk = await new BusyDesk({ agents }).start();
    expect(await desk.ask("/agents")).not.toContain("open");
    expect(await desk.ask("/spawn --agent open do it")).toMatch(/less than this session's workspace/);
  });
});

it("every command stands in /help, in order", async () => {
  const desk = await new BusyDesk().start();
  const names = [...(await desk.ask("/help")).matchAll(/^- `\/(\S+?)[ `]/gm)].map(([, name]) => name);
  expect(names).toEqual([
    "help",
    "status",
    "new",
    "stop",
    "whoami",
    "answer",
    "queue",
    "spawn",
    "tree",
    "subagents",
    "kill",
    "retry",
    "agents",
    "focus",
    "unfocus",
    "session",
    "link",
    "unlink",
  ]);
  expect(await desk.store.read.session(ADA)).toBeDefined();
});
