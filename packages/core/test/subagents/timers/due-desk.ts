import { TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";

export const MINUTE_MS: number = 60_000;

/** Its agent spawns a child called `w` with these arguments for whatever begins with "go". */
export async function openDesk(args: object, options: TreeDeskOptions = {}): Promise<TreeDesk> {
  const desk = await new TreeDesk(options).start();
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w", ...args });
    return "asked";
  });
  return desk;
}

export async function timersOf(desk: TreeDesk): Promise<readonly string[]> {
  return (await desk.store.read.timers({ limit: 99 })).map(({ kind }) => kind);
}
