/** A shell that runs commands as the documents write them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

const BIN = new URL("../../packages/cli/src/bin-from-source.js", import.meta.url).pathname;
const BANYAN = `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"`;
/** What a machine may lack, or what would install something. `jq` shows what it gets. */
const PROGRAMS: Readonly<Record<string, string>> = {
  banyan: BANYAN,
  npx: `[ "$1 $2" = "-y pnpm@12" ] || exit 64\nshift 2\n[ "$1" = banyan ] && shift\n${BANYAN}`,
  jq: "exec cat",
};

/** What takes the place of an example's id, token or address, by what the document says. */
export type Given = Readonly<Record<string, string>>;

export interface DocumentShell {
  readonly folder: string;
  /** Runs the command to its end, and returns what it printed. Rejects where its exit code is not 0. */
  runs(command: string, given?: Given): Promise<string>;
  /** Runs the command until it has printed this, then stops it as Ctrl-C does. */
  runsUntil(printed: RegExp, command: string, given?: Given): Promise<string>;
}

/** In a folder of the test's own, unless one is given. */
export function openShell(env: Readonly<Record<string, string>>, folder: string = makeFolder()): DocumentShell {
  const programs = makeFolder();
  for (const [name, text] of Object.entries(PROGRAMS))
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const path = `${programs}:${dirname(process.execPath)}:${process.env.PATH}`;

  async function run(command: string, given: Given, until?: RegExp): Promise<string> {
    const line = Object.entries(given).reduce((text, [example, value]) => text.replaceAll(example, value), command);
    const child = spawn("bash", ["-c", `set -o pipefail; ${line}`], {
      cwd: folder,
      env: { PATH: path, HOME: folder, NO_COLOR: "1", BANYAN_PORT: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const isAlive = () => child.exitCode === null && child.signalCode === null;
    const kill = (signal: NodeJS.Signals) => isAlive() && process.kill(-Number(child.pid), signal);
    onTestFinished(() => void kill("SIGKILL"));
    const exited = once(child, "close");
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        const wasThere = until?.test(printed) ?? true;
        printed += text;
        if (!wasThere && until?.test(printed)) kill("SIGINT");
      });
    await exited;
    // A program that only shows something may leave Ctrl-C to the shell.
    const isDone = child.exitCode === 0 || (until !== undefined && child.signalCode === "SIGINT");
    if (!isDone || until?.test(printed) === false)
      throw new Error(
        `${line}: ended with ${child.exitCode}${until === undefined ? "" : `, waited for ${until}`}:\n${printed}`,
      );
    return printed;
  }
  return {
    folder,
    runs: (command, given = {}) => run(command, given),
    runsUntil: (printed, command, given = {}) => run(command, given, printed),
  };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-documents-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "docs"));
  for (const name of ["oak", "elm", "fir"]) writeFileSync(join(folder, "docs", `${name}.md`), `# ${name}\n\nA tree.\n`);
  return folder;
}
