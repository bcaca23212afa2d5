import { readAll, type TestTool, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it } from "vitest";
import { createDemoRuntime } from "../../../src/index.ts";

/** The answer of `read_file` for a whole file. */
function page(path: string, text: string): string {
  return `[${path}: bytes 0 to ${text.length} of ${text.length}]\n${text}`;
}

function toolsOver(listing: string, answers: Record<string, string>): Record<string, TestTool> {
  return {
    list_files: () => ({ text: listing, isError: false }),
    read_file: (args) => {
      const text = answers[JSON.stringify(args)];
      return text === undefined
        ? { text: `cannot read ${JSON.stringify(args)}`, isError: true }
        : { text, isError: false };
    },
  };
}

async function count(tools: Record<string, TestTool>, desk = new TurnDesk(), dir = "docs"): Promise<string> {
  const session = await desk.open(createDemoRuntime());
  return textOf(await readAll(session.run(desk.turn(`count words in ${dir}`, tools))));
}

it("counts files, names the longest, and asks for the directory once", async () => {
  const desk = new TurnDesk();
  const tools = toolsOver("docs/a.md\t11\ndocs/sub/\ndocs/sub/b.md\t17", {
    '{"path":"docs/a.md"}': page("docs/a.md", "hello world"),
    '{"path":"docs/sub/b.md"}': page("docs/sub/b.md", " one  two\nthree\n"),
  });
  expect(await count(tools, desk)).toBe(
    "Counting words in docs/: 2 files.\ndocs/ has 5 words in 2 files; the longest is docs/sub/b.md (3).",
  );
  expect(desk.ran.map(({ args }) => args)).toEqual([
    { dir: "docs", depth: 32 },
    { path: "docs/a.md" },
    { path: "docs/sub/b.md" },
  ]);
});

it("says what it skipped and what the listing left out", async () => {
  const tools = toolsOver("docs/a.md\t3\ndocs/b.png\t9\ndocs/c.log\t1048577\ndocs/d\t1\n[skipped: node_modules]", {
    '{"path":"docs/a.md"}': page("docs/a.md", "one"),
  });
  const read = tools.read_file;
  tools.read_file = (args) =>
    JSON.stringify(args).includes(".png") ? { text: "docs/b.png is binary", isError: true } : (read?.(args) ?? never());
  expect((await count(tools)).split("\n").slice(1)).toEqual([
    "docs/ has 1 word in 1 file; the longest is docs/a.md (1).",
    "Skipped: 1 binary, 1 too large (over 1 MiB), 1 unreadable.",
    "Skipped: node_modules.",
  ]);
});

it("reads a long file page by page, and counts a word across two pages once", async () => {
  const tools = toolsOver("a\t12", {
    '{"path":"a"}': "[a: bytes 0 to 6 of 12]\none tw",
    '{"path":"a","offset":6}': "[a: bytes 6 to 12 of 12]\no four",
  });
  expect(await count(tools)).toContain("docs/ has 3 words in 1 file");
});

it("is not misled by a file that writes like the tool", async () => {
  const text = "[a: bytes 0 to 1 of 99]\nx";
  expect(await count(toolsOver("a\t25", { '{"path":"a"}': page("a", text) }))).toContain("has 8 words");
});

it("gives up a page that does not advance", async () => {
  const tools = toolsOver("a\t12", { '{"path":"a"}': "[a: bytes 0 to 0 of 12]\n" });
  expect(await count(tools)).toContain("Skipped: 1 unreadable.");
});

it("understands quoted paths", async () => {
  const tools = toolsOver('"a\\nb.md"\t3\n"broken\t3', { '{"path":"a\\nb.md"}': page("x", "one") });
  expect(await count(tools)).toContain("has 1 word in 1 file");
});

it("tells its progress at each quarter of a long way", async () => {
  const paths = Array.from({ length: 40 }, (_, index) => `f${index}`);
  const answers = Object.fromEntries(paths.map((path) => [JSON.stringify({ path }), page(path, "a b")]));
  const text = await count(toolsOver(paths.map((path) => `${path}\t3`).join("\n"), answers), new TurnDesk(), ".");
  expect(text.split("\n")).toEqual([
    "Counting words in the workspace: 40 files.",
    "10 of 40 files: 20 words so far.",
    "20 of 40 files: 40 words so far.",
    "30 of 40 files: 60 words so far.",
    "the workspace has 80 words in 40 files; the longest is f0 (2).",
  ]);
});

it("passes a refusal of the tool on", async () => {
  const list_files = () => ({ text: "list_files: /etc lies outside the workspace.", isError: true });
  expect(await count({ list_files }, new TurnDesk(), "/etc")).toBe(
    "I can't list /etc: list_files: /etc lies outside the workspace.",
  );
});

it("names the folders that are there when the one asked for is not", async () => {
  const list_files = (args: unknown) =>
    JSON.stringify(args).includes('"."')
      ? { text: "guide/\nREADME.md\t10\nnotes/", isError: false }
      : { text: "there is nothing of that name.", isError: true };
  expect(await count({ list_files }, new TurnDesk(), "docs")).toBe(
    "I can't list docs: there is nothing of that name.\nFolders here: guide/ notes/ Try: count words in guide",
  );
});

it("says when there is nothing to count", async () => {
  expect(await count(toolsOver("[docs: empty]", {}))).toBe("docs/ has no text files that I can count.\nDocs: empty.");
});

function never(): never {
  throw new Error("Asking the test's read_file: it is missing.");
}
