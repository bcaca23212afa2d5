import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { describe, expect, it } from "vitest";
import { createDemoRuntime } from "../../../src/index.ts";
import { DemoMember, words } from "../../desk/demo-family.ts";

const FILES = { "docs/a.md": words(10), "docs/b.md": words(20), "README.md": words(7) };

/** What is said at once, and what when all that were started have worked. */
async function talk(text: string, member = new DemoMember(FILES)): Promise<readonly string[]> {
  const said = await member.says(text);
  const answers: string[] = [said];
  for (const child of member.children) answers.push(await member.hears(await child.works()));
  return answers;
}

function refusing(label: string): DemoMember {
  return new DemoMember(FILES, { refuse: (asked) => (asked === label ? "children: 5 of 5" : undefined) });
}

/** A leaf: it has no tool to spawn. */
function leafWith(task: string): DemoMember {
  return new DemoMember(FILES, {}, { label: "", task, runId: "leaf" }, 2);
}

describe("compare", () => {
  it("has two children count, and says which has more", async () => {
    const ada = new DemoMember(FILES);
    expect(await talk("compare docs README.md", ada)).toEqual([
      "Two sub-agents count docs and README.md.",
      "NO_REPLY",
      "docs has 30 words in 2 files.\nREADME.md has 7 words in 1 file.\ndocs is longer by 23 words.",
    ]);
    expect(ada.children.map(({ label, task }) => `${label}: ${task}`)).toEqual([
      "compare 1/2: work count words in docs",
      "compare 2/2: work count words in README.md",
    ]);
  });

  it("says when both are equal", async () => {
    expect((await talk("compare README.md README.md")).at(-1)).toContain("They are equally long.");
  });

  it("says what is missing", async () => {
    expect((await talk("compare nowhere README.md")).at(-1)).toBe(
      "The count of nowhere failed: I can't list nowhere: there is nothing of that name.\n" +
        "README.md has 7 words in 1 file.\nSo there is nothing to compare.",
    );
  });

  it("says who was refused", async () => {
    expect(await talk("compare docs README.md", refusing("compare 1/2"))).toEqual([
      "I can't compare: a sub-agent was refused: children: 5 of 5.",
    ]);
    expect(await talk("compare docs README.md", refusing("compare 2/2"))).toEqual([
      "A sub-agent counts docs; the one for README.md was refused: children: 5 of 5.",
      "docs has 30 words in 2 files.\nREADME.md was not counted: children: 5 of 5.\nSo there is nothing to compare.",
    ]);
  });

  it("is not for a leaf", async () => {
    expect((await leafWith("compare docs README.md").works()).result).toBe(
      "I can't compare here, because I may not start sub-agents; try count words in docs.",
    );
  });
});

describe("nest", () => {
  it("goes down level by level, and comes back wrapped", async () => {
    const ada = new DemoMember(FILES);
    expect(await talk("nest 2", ada)).toEqual([
      "I started a nest of sub-agents, 2 deep.",
      "The nest says: level 1 of 2: level 2 of 2: I am the innermost.",
    ]);
    expect(ada.children[0]?.children[0]?.label).toBe("level 2/2");
  });

  it("goes as deep as five", async () => {
    expect((await talk("nest 5", new DemoMember(FILES, { maxDepth: 5 }))).at(-1)).toBe(
      "The nest says: level 1 of 5: level 2 of 5: level 3 of 5: level 4 of 5: level 5 of 5: I am the innermost.",
    );
  });

  it("says at which level a limit stopped it", async () => {
    expect((await talk("nest 3")).at(-1)).toBe(
      "The nest says: level 1 of 3: level 2 of 3: I can't go deeper: depth limit reached (maxSpawnDepth).",
    );
    expect((await talk("nest 2", refusing("level 2/2"))).at(-1)).toBe(
      "The nest says: level 1 of 2: I can't go deeper: children: 5 of 5.",
    );
    expect(await talk("nest 2", refusing("level 1/2"))).toEqual(["I can't nest: children: 5 of 5."]);
    expect((await leafWith("nest 2").works()).result).toBe("I can't nest: here I may not start sub-agents.");
  });

  it("tells at each level how the one below it ended", async () => {
    const level = new DemoMember(FILES, {}, { label: "", task: "nest level 1 of 2", runId: "one" }, 1);
    await level.says(level.task);
    expect(await level.hears(level.children[0]?.ends("killed") ?? never())).toBe(
      "level 1 of 2: level 2 of 2 was stopped.",
    );
  });
});

describe("slow", () => {
  it("has one child tick, and tells when it is done", async () => {
    const ada = new DemoMember(FILES);
    expect(await ada.says("slow 3")).toBe("A sub-agent works for 3 s; I tell you when it is done.");
    const [child] = ada.children;
    expect(child?.task).toBe("work slow 3");
    const end = child?.ends("done", { result: "1 2 3 \nThat took 3 s." }) ?? never();
    expect(await ada.hears(end)).toBe("The sub-agent is done. That took 3 s.");
    expect(await ada.hears({ ...end, outcome: "killed" })).toBe("The slow sub-agent was stopped.");
  });

  it.each(["work slow 2", "slow 2"])("is ticked by the child itself that is told %j", async (task) => {
    const child = new DemoMember(FILES, {}, { label: "", task, runId: "child" }, 1);
    const working = child.works();
    for (let second = 0; second < 2; second += 1) {
      await child.desk.clock.awaitAlarm();
      child.desk.clock.advance(1000);
    }
    expect((await working).result).toBe("1 2 \nThat took 2 s.");
    expect(child.children).toHaveLength(0);
  });

  it("is ticked here when a child was refused", async () => {
    const desk = new TurnDesk();
    const tools = [{ name: "sessions_spawn", description: "", parameters: {} }];
    const session = await desk.open(createDemoRuntime(), { tools });
    const run = session.run(desk.turn("slow 1", { sessions_spawn: () => ({ text: "it timed out.", isError: true }) }));
    await desk.clock.awaitAlarm();
    desk.clock.advance(1000);
    expect(textOf(await readAll(run))).toBe(
      "I do it myself, because a sub-agent was refused: it timed out.\n1 \nThat took 1 s.",
    );
  });
});

describe("fail", () => {
  it("has one child fail, and says so", async () => {
    expect(await talk("fail")).toEqual([
      "A sub-agent is about to fail, as you asked.",
      "As asked, the sub-agent failed: I was asked to fail, so I did; nothing is broken. Say help for what else I can do.",
    ]);
  });

  it.each(["fail", "work fail"])("is done by the child itself that is told %j", async (task) => {
    const child = new DemoMember(FILES, {}, { label: "", task, runId: "child" }, 1);
    expect((await child.works()).outcome).toBe("failed");
    expect(child.children).toHaveLength(0);
  });

  it("is done here when a child was refused", async () => {
    const ada = refusing("fail");
    expect(await ada.says("fail")).toBe("I do it myself, because a sub-agent was refused: children: 5 of 5.\n");
    expect(ada.events.at(-1)).toMatchObject({ reason: "error" });
  });
});

function never(): never {
  throw new Error("Asking for a child: it was not started.");
}
