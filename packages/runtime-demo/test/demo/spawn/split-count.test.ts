import { describe, expect, it } from "vitest";
import { DemoMember, words } from "../../desk/demo-family.ts";

const DOCS = { "docs/a.md": words(10), "docs/b.md": words(20), "docs/c.md": words(30), "docs/d.md": words(5) };
const SPLIT = "I split docs/ over three sub-agents.";
const SUM = "docs/ has 65 words in 4 files; the longest is docs/c.md (30).";

async function splitDocs(files: Readonly<Record<string, string>> = DOCS) {
  const ada = new DemoMember(files);
  expect(await ada.says("count words in docs")).toBe(SPLIT);
  const [one, two, three] = ada.children;
  if (one === undefined || two === undefined || three === undefined) throw new Error("There should be three children.");
  return { ada, one, two, three };
}

describe("a count over three sub-agents", () => {
  it("tells each child its share by a number", async () => {
    const { ada } = await splitDocs();
    expect(ada.children.map(({ label, task }) => `${label}: ${task}`)).toEqual([
      "words 1/3: count words in docs part 1 of 3",
      "words 2/3: count words in docs part 2 of 3",
      "words 3/3: count words in docs part 3 of 3",
    ]);
  });

  it("waits for all of them, whatever their order, and answers once", async () => {
    const { ada, one, two, three } = await splitDocs();
    expect(await ada.hears(await three.works())).toBe("NO_REPLY");
    expect(await ada.hears(await one.works())).toBe("NO_REPLY");
    expect(await ada.hears(await two.works())).toBe(SUM);
  });

  it("answers once when they end together", async () => {
    const { ada, one, two, three } = await splitDocs();
    expect(await ada.hears(await one.works(), await two.works(), await three.works())).toBe(SUM);
  });

  it("keeps what came before apart from what comes together", async () => {
    const { ada, one, two, three } = await splitDocs();
    expect(await ada.hears(await two.works())).toBe("NO_REPLY");
    expect(await ada.hears(await three.works(), await one.works())).toBe(SUM);
  });

  it("takes other messages meanwhile", async () => {
    const { ada, one, two, three } = await splitDocs();
    await ada.hears(await one.works(), await two.works());
    expect(await ada.says("calc 6 * 7")).toBe("6 * 7 = 42");
    expect(await ada.hears(await three.works())).toBe(SUM);
  });

  it("keeps two counts of the same folder apart", async () => {
    const { ada, one, two, three } = await splitDocs();
    await ada.says("count words in docs");
    const again = ada.children.slice(3);
    for (const child of [one, again[0], two, again[1]]) {
      expect(await ada.hears((await child?.works()) ?? never())).toBe("NO_REPLY");
    }
    expect(await ada.hears((await again[2]?.works()) ?? never())).toBe(SUM);
    expect(await ada.hears(await three.works())).toBe(SUM);
  });

  it("adds up what the children skipped", async () => {
    const { ada, one, two, three } = await splitDocs({ ...DOCS, "docs/e.png": "\0", "docs/f.png": "\0" });
    expect(await ada.hears(await one.works(), await two.works(), await three.works())).toBe(
      `${SUM}\nSkipped: 2 binary.`,
    );
  });

  it("finds a folder whose name is a sentence, and a file whose name is two lines", async () => {
    const ada = new DemoMember({
      'my "part 1 of 2"/a\n9 words in 9 files.': words(3),
      'my "part 1 of 2"/b': "",
      'my "part 1 of 2"/c': "",
    });
    await ada.says('count words in `my "part 1 of 2"`');
    const ends = await Promise.all(ada.children.map((child) => child.works()));
    expect(await ada.hears(...ends)).toBe(
      'my "part 1 of 2"/ has 3 words in 3 files; the longest is "my \\"part 1 of 2\\"/a\\n9 words in 9 files." (3).',
    );
  });
});

describe("a child of a count", () => {
  it("shows how far it is, and ends with a line that people and programs read", async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`docs/${index}.md`, words(1000)]));
    const { one } = await splitDocs(files);
    expect((await one.works()).result.split("\n")).toEqual([
      "Counting part 1 of 3 of docs/: 4 files.",
      "1 of 4 files: 1,000 words so far.",
      "2 of 4 files: 2,000 words so far.",
      "3 of 4 files: 3,000 words so far.",
      "4,000 words in 4 files; the longest is docs/0.md (1,000).",
    ]);
    expect(one.events.filter(({ type }) => type === "text")).toHaveLength(5);
  });

  it("fails when the folder is gone", async () => {
    const { ada, two } = await splitDocs();
    const orphan = new DemoMember({}, {}, two);
    const end = await orphan.works();
    expect(end.outcome).toBe("failed");
    expect(end.error).toBe("I can't list docs: there is nothing of that name.");
    expect(ada.children).toHaveLength(3);
  });

  it("splits a whole folder again where it may, and counts alone where it may not", async () => {
    const task = { label: "", task: "count words in docs", runId: "run" };
    const orchestrator = new DemoMember(DOCS, {}, task, 1);
    expect((await orchestrator.works()).result).toBe(SUM);
    expect(orchestrator.children).toHaveLength(3);
    const leaf = new DemoMember(DOCS, {}, task, 2);
    expect((await leaf.works()).result).toBe(`Counting words in docs/: 4 files.\n${SUM}`);
    expect(leaf.children).toHaveLength(0);
  });
});

describe("a child that does not count", () => {
  it.each([
    ["failed", { error: "the disk is full." }, "words 2/3 failed: the disk is full; the sum is without it."],
    ["timeout", {}, "words 2/3 ran out of time; the sum is without it."],
    ["killed", {}, "words 2/3 was stopped; the sum is without it."],
    ["interrupted", {}, "words 2/3 was interrupted and cannot go on; the sum is without it."],
    ["done", { result: "hello" }, "words 2/3 gave no answer that I can read; the sum is without it."],
    ["killed", { result: "9 words in 9 files." }, "words 2/3 was stopped; the sum is without it."],
  ] as const)("is named when it has %s (%j)", async (outcome, parts, line) => {
    const { ada, one, two, three } = await splitDocs();
    const ends = [await one.works(), two.ends(outcome, parts), await three.works()];
    expect(await ada.hears(...ends)).toBe(
      `Counted in docs/: 45 words in 3 files; the longest is docs/c.md (30).\n${line}`,
    );
  });

  it("leaves no sum when all are like that", async () => {
    const { ada, one, two, three } = await splitDocs();
    expect(await ada.hears(one.ends("killed"), two.ends("killed"), three.ends("failed", { error: "no" }))).toBe(
      "I could not count the words in docs/.\nwords 1/3 was stopped.\nwords 2/3 was stopped.\nwords 3/3 failed: no.",
    );
  });
});

describe("without sub-agents", () => {
  it("counts a few files sooner alone", async () => {
    const ada = new DemoMember({ "docs/a.md": words(10), "docs/b.md": words(20) });
    expect(await ada.says("count words in docs")).toContain("docs/ has 30 words in 2 files");
    expect(ada.children).toHaveLength(0);
  });

  it("counts alone when the first is refused, and says why", async () => {
    const ada = new DemoMember(DOCS, { refuse: () => "too many runs below the root." });
    expect(await ada.says("count words in docs")).toBe(
      `I count alone, because a sub-agent was refused: too many runs below the root.\nCounting words in docs/: 4 files.\n${SUM}`,
    );
  });

  it("counts the shares of those that were refused when the others are there", async () => {
    const ada = new DemoMember(DOCS, { refuse: (label) => (label === "words 1/3" ? undefined : "2 children of 2") });
    expect(await ada.says("count words in docs")).toBe(
      "One sub-agent counts a part of docs/; one more was refused: 2 children of 2. I count the rest when it is done.",
    );
    expect(await ada.hears((await ada.children[0]?.works()) ?? never())).toBe(SUM);
  });

  it("counts a single file", async () => {
    const ada = new DemoMember(DOCS);
    expect(await ada.says("count words in docs/a.md")).toContain("docs/a.md has 10 words in 1 file");
  });
});

describe("a turn that is cut off", () => {
  it.each([[[0]], [[1]], [[2]], [[3]], [[1, 2]], [[3, 3]]])(
    "starts no child twice when that happens at its calls %j",
    async (cutOffAt) => {
      const ada = new DemoMember(DOCS);
      expect(await ada.takes([{ kind: "message", text: "count words in docs" }], cutOffAt)).toBe(SPLIT);
      expect(ada.desk.ran.map(({ ordinal, name }) => `${ordinal} ${name}`)).toEqual([
        "0 list_files",
        "1 sessions_spawn",
        "2 sessions_spawn",
        "3 sessions_spawn",
      ]);
      const ends = await Promise.all(ada.children.map((child) => child.works()));
      expect(await ada.hears(...ends)).toBe(SUM);
    },
  );

  it("joins the same when the joining turn counts a share itself", async () => {
    const ada = new DemoMember(DOCS, { refuse: (label) => (label === "words 3/3" ? "no" : undefined) });
    await ada.says("count words in docs");
    const ends = await Promise.all(ada.children.map((child) => child.works()));
    const input = ends.map((completion) => ({ kind: "completion", text: "…", completion }) as const);
    ada.desk.ran.length = 0;
    expect(await ada.takes(input, [0, 1])).toBe(SUM);
    expect(ada.desk.ran.map(({ ordinal, name }) => `${ordinal} ${name}`)).toEqual([
      "0 list_files",
      "1 read_file",
      "2 read_file",
    ]);
  });
});

function never(): never {
  throw new Error("Asking for a child: it was not started.");
}
