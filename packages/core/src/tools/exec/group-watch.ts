/**
 * Ends what a program has started where the gateway's process dies, however it dies. A small shell waits at a pipe that the
 * gateway alone holds open: the system closes that with the process. It is no child of the program and in no group of its,
 * so the program is started as it would be without.
 */
import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { EXEC_MARK } from "./child-environment.ts";

const SHELL = "/bin/sh";
const SHELL_ENV = { PATH: "/usr/bin:/bin" } as const;
const END = "end";

/**
 * The first line is the mark, the next one the group, the last one `end`. Without that the pipe was closed by a death. Where
 * no group is named the program was just being started, so it is looked for by its mark a moment later, as is, on Linux,
 * what has left its group; one that is killed may have started another between the look and the kill.
 */
const WATCHER = `
read -r mark || exit 0
group=
while read -r line; do
  [ "$line" = ${END} ] && exit 0
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
    end: () => void pipe?.end(`${END}\n`),
  };
}
