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
  /** Removes registered secrets from a text; the output is cut inside none. */
  readonly scrub: (text: string) => string;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

export interface ProcessEnd {
  /** What it wrote, errors and all, in the order in which it came. */
  readonly output: string;
  readonly how:
    | { readonly kind: "exit"; readonly code: number }
    | { readonly kind: "signal"; readonly name: string }
    | { readonly kind: "timeout" | "stopped" };
  readonly durationMs: number;
}

/**
 * Runs a program in a process group of its own, without a shell and without input. When it ends, its time is over or
 * the signal aborts, all of the group are ended, and on Linux also those that left the group but carry its mark. Where this
 * process dies they are ended as well. Rejects with the system's error where it cannot be started.
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
    // Its own group: one signal reaches all that it starts.
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
  // `close` would wait for whoever still holds the pipes.
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
    // What it wrote last is still in the pipes, which nobody holds any more.
    await Promise.all([untilClosed(child.stdout, clock), untilClosed(child.stderr, clock)]);
    return { output: window.format(), how, durationMs: Math.round(clock.monotonic() - startedAt) };
  } finally {
    cancel();
    spec.signal.removeEventListener("abort", onStop);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Killed and not asked: whoever could refuse to go would go on behind the agent's back. */
async function endGroup(pid: number | undefined, mark: string | undefined): Promise<void> {
  if (pid === undefined) return;
  kill(-pid);
  if (mark === undefined || process.platform !== "linux") return;
  // One that is killed may have started another between the look and the kill.
  for (let round = 0; round < MAX_KILL_ROUNDS; round += 1) {
    const left = await findMarkedProcesses(mark);
    if (left.length === 0) return;
    for (const stray of left) kill(stray);
  }
}

/** Those that left the group, by the mark in their environment. */
async function findMarkedProcesses(mark: string): Promise<readonly number[]> {
  const wanted = `${EXEC_MARK}=${mark}\0`;
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => ((await readEnvironment(name)).includes(wanted) ? [Number(name)] : [])),
  );
  return found.flat();
}

/** Of a process that is another user's or gone, or that is dead and not taken leave of: nothing. */
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
    // Somebody who could not be ended holds the pipe: it is waited for no longer than what is there takes.
    const cancel = clock.schedule(PIPE_CLOSE_TIMEOUT_MS, resolve);
    stream.once("close", () => {
      cancel();
      resolve();
    });
  });
}

/**
 * Ends what a program has started where the gateway's process dies, however it dies. A small shell waits at a pipe that the
 * gateway alone holds open: the system closes that with the process. It is no child of the program and in no group of its,
 * so the program is started as it would be without.
 */

const SHELL = "/bin/sh";
const SHELL_ENV = { PATH: "/usr/bin:/bin" } as const;
const END_LINE = "end";

/**
 * The first line is the mark, the next one the group, the last one `end`. Without that the pipe was closed by a death. Where
 * no group is named the program was just being started, so it is looked for by its mark a moment later, as is, on Linux,
 * what has left its group; one that is killed may have started another between the look and the kill.
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

export interface GroupWatch {
  /** The program runs, as the leader of this group. */
  follow(groupId: number): void;
  /** Nothing of it is left, or it never began: the watcher goes. */
  end(): void;
}

/** Before the program starts, so that no death comes too early. Without a shell in its place there is nobody who watches. */
export function watchGroup(mark: string | undefined): GroupWatch {
  const watcher = spawn(SHELL, ["-c", WATCHER], {
    cwd: "/",
    env: SHELL_ENV,
    // What is sent to the gateway's own group, such as an interrupt of its terminal, is not meant for it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // It could not be started, or somebody has ended it: the program runs on all the same.
  watcher.on("error", () => undefined);
  // Absent where the system gives no more pipes.
  const pipe: Writable | undefined = watcher.stdin;
  pipe?.on("error", () => undefined);
  pipe?.write(`${mark ?? ""}\n`);
  return {
    follow: (groupId) => void pipe?.write(`${groupId}\n`),
    end: () => void pipe?.end(`${END_LINE}\n`),
  };
}
