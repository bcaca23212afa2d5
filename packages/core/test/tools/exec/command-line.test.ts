import { expect, test } from "vitest";
import { parseCommandLine } from "../../../src/tools/exec/command-line.ts";

test.each<[string, readonly string[]]>([
  ["ls", ["ls"]],
  ["  ls   -la\tdocs ", ["ls", "-la", "docs"]],
  ["git commit -m 'a; b $(c) | d'", ["git", "commit", "-m", "a; b $(c) | d"]],
  ['echo "a \\"b\\" \\\\ c"', ["echo", 'a "b" \\ c']],
  ["echo a\\ b\\;c", ["echo", "a b;c"]],
  ["echo ''", ["echo", ""]],
  ["echo a'b'\"c\"d", ["echo", "abcd"]],
  ["grep -n '*.md'", ["grep", "-n", "*.md"]],
])("%j is %j", (text, words) => {
  expect(parseCommandLine(text)).toEqual({ kind: "words", words });
});

test.each([
  "ls; rm -rf docs",
  "ls && rm docs",
  "ls | sh",
  "ls > out.txt",
  "cat < in.txt",
  "echo $(whoami)",
  "echo `whoami`",
  'echo "$(whoami)"',
  'echo "`whoami`"',
  "echo $HOME",
  'echo "$HOME"',
  "(ls)",
  "ls &",
  "ls\nrm docs",
  "ls *.md",
  "ls file?",
  "ls [ab]",
  "ls ~/secrets",
  "ls # and more",
  "echo 'open",
  'echo "open',
  "echo \\",
  "",
  "   ",
])("attack 1: %j is no command without a shell", (text) => {
  expect(parseCommandLine(text)).toMatchObject({ kind: "invalid" });
});
