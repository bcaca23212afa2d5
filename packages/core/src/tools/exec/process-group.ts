import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "@banyan/plugin-sdk";
import { hasErrorCode } from "../failure.ts";
import { OutputWindow } from "../output.ts";
import { EXEC_MARK } from "./environment.ts";

const MAX_KILL_ROUNDS = 20;
const PIPE_CLOSE_TIMEOUT_MS = 500;

export interface ProcessSpec {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly outputLimitBytes: number;
  /** Removes registered secrets from a text; the output is never cut inside one. */
  readonly scrub: (text: string) => string;
  /** Kills it immediately. */
  readonly signal: AbortSignal;
}

export interface ProcessEnd {
  /** Its output and its errors, in the order in which they came. */
  readonly output: string;
  readonly how:
    | { readonly kind: "exit"; readonly code: number }
    | { readonly kind: "signal"; readonly name: string }
    | { readonly kind: "timeout" | "stopped" };
  readonly durationMs: number;
}

/**
 * Runs a program in a separate process group, without a shell and without input. When it ends, its time is over or the
 * signal aborts, the whole group is killed, and on Linux also each process that left the group but has its mark. If
 * this process dies, they are killed as well. Rejects with the system's error if the program cannot be started.
 */
export async function runProcessGroup(spec: ProcessSpec, clock: Clock): Promise<ProcessEnd> {
  const watch = watchGroup(spec.env[EXEC_MARK]);
  try {
    return await runWatched(spec, watch, clock);
  } finally {
    watch.end();
  }
}

async function runWatched(spec: ProcessSpec, watch: GroupWatch, clock: Clock): Promise<ProcessEnd> {
  const [program = "", ...args] = spec.argv;
  const startedAt = clock.monotonic();
  const window = new OutputWindow(spec.outputLimitBytes, spec.scrub);
  const child = spawn(program, args, {
    cwd: spec.cwd,
    env: { ...spec.env },
    // A new group: one signal reaches every process that it starts.
    detached: true,
    shell: false,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) watch.follow(child.pid);
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd["how"]>();
  const add = (piece: Buffer) => window.add(piece);
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  child.once("error", reject);
  // `close` would wait for every process that still has the pipes open.
  child.once("exit", (code, name) =>
    resolve(name === null ? { kind: "exit", code: code ?? 0 } : { kind: "signal", name }),
  );
  const onStop = () => resolve({ kind: "stopped" });
  const cancel = clock.schedule(spec.timeoutMs, () => resolve({ kind: "timeout" }));
  spec.signal.addEventListener("abort", onStop, { once: true });
  if (spec.signal.aborted) onStop();
  try {
    const how = await promise;
    await endGroup(child.pid, spec.env[EXEC_MARK]);
    // The last output is still in the pipes, which no process writes to any more.
    await Promise.all([untilClosed(child.stdout, clock), untilClosed(child.stderr, clock)]);
    return { output: window.format(), how, durationMs: Math.round(clock.monotonic() - startedAt) };
  } finally {
    cancel();
    spec.signal.removeEventListener("abort", onStop);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Uses SIGKILL: a process that ignores SIGTERM would continue without the agent's knowledge. */
async function endGroup(pid: number | undefined, mark: string | undefined): Promise<void> {
  if (pid === undefined) return;
  kill(-pid);
  if (mark === undefined || process.platform !== "linux") return;
  // A process may start another one between the search and the kill.
  for (let round = 0; round < MAX_KILL_ROUNDS; round += 1) {
    const left = await findMarkedProcesses(mark);
    if (left.length === 0) return;
    for (const stray of left) kill(stray);
  }
}

/** Finds the processes that left the group, by the mark in their environment. */
async function findMarkedProcesses(mark: string): Promise<readonly number[]> {
  const wanted = `${EXEC_MARK}=${mark}\0`;
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => ((await readEnvironment(name)).includes(wanted) ? [Number(name)] : [])),
  );
  return found.flat();
}

/** Empty for a process of another user, one that is gone and a zombie. */
async function readEnvironment(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // Gone already.
    if (!hasErrorCode(error, "ESRCH", "EPERM")) throw error;
  }
}

function untilClosed(stream: Readable, clock: Clock): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    // A process that could not be killed has the pipe open: waits only as long as reading the rest takes.
    const cancel = clock.schedule(PIPE_CLOSE_TIMEOUT_MS, resolve);
    stream.once("close", () => {
      cancel();
      resolve();
    });
  });
}

const SHELL = "/bin/sh";
const SHELL_ENV = { PATH: "/usr/bin:/bin" } as const;
const END_LINE = "end";

/**
 * The first line is the mark, the next one the group, the last one `end`. Without `end`, the gateway's death closed the
 * pipe. Without a group, the program was just being started, so the shell searches for its mark a moment later, and on
 * Linux also for what has left its group; a process may start another one between the search and the kill.
 */
const WATCHER = `
read -r mark || exit 0
group=
while read -r line; do
  [ "$line" = ${END_LINE} ] && exit 0
  group=$line
done
if [ -n "$group" ]; then kill -s KILL -- "-$group"; else sleep 1; fi
[ -n "$mark" ] && [ -d /proc/self ] || exit 0
round=0
while [ "$round" -lt 20 ]; do
  round=$((round + 1))
  found=$(grep -l "${EXEC_MARK}=$mark" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}"
  done
done
`;

interface GroupWatch {
  /** The program runs and is the leader of this group. */
  follow(groupId: number): void;
  /** No process of it is left, or it never started: the watcher ends. */
  end(): void;
}

/**
 * Kills what a program has started if the gateway's process dies, for any reason. A small shell waits at a pipe that
 * only the gateway has open: the system closes it with the process. The shell is no child of the program and in another
 * group, so it does not change how the program is started. Called before the program starts, so that no death comes too
 * early. Without `/bin/sh` nothing watches the program.
 */
export function watchGroup(mark: string | undefined): GroupWatch {
  const watcher = spawn(SHELL, ["-c", WATCHER], {
    cwd: "/",
    env: SHELL_ENV,
    // A signal to the gateway's group, such as an interrupt from its terminal, must not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // It could not be started, or it was killed: the program runs without it.
  watcher.on("error", () => undefined);
  // Absent if the system has no more pipes.
  const pipe: Writable | undefined = watcher.stdin;
  pipe?.on("error", () => undefined);
  pipe?.write(`${mark ?? ""}\n`);
  return {
    follow: (groupId) => void pipe?.write(`${groupId}\n`),
    end: () => void pipe?.end(`${END_LINE}\n`),
  };
}
