import { type Address, formatAddress } from "@banyan/plugin-sdk";
import type { BindingRow } from "@banyan/store";
import { BusyDesk } from "./busy-desk.ts";

export const GROVE: Address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });
export const THREAD: Address = formatAddress({
  channel: "irc",
  account: "default",
  kind: "group",
  chat: "grove",
  thread: "7",
});
export const HOUR_MS = 3_600_000;

export async function bindingsOf(desk: BusyDesk): Promise<readonly BindingRow[]> {
  return (await desk.store.read.routes()).bindings;
}

/** The timers of bindings, each with how long it runs from when it was armed. */
export async function timersOf(desk: BusyDesk): Promise<readonly string[]> {
  return (await desk.store.read.timers({ limit: 99 })).flatMap(({ id, armedAtMs, dueAtMs }) =>
    id.startsWith("binding-") ? [`${id} ${(dueAtMs - armedAtMs) / HOUR_MS} h`] : [],
  );
}

export async function openFocused(): Promise<BusyDesk> {
  const desk = await new BusyDesk().start();
  await desk.says("/spawn --label quick do it");
  await desk.says("/focus quick");
  return desk;
}

export async function openThread(options: ConstructorParameters<typeof BusyDesk>[0] = {}): Promise<BusyDesk> {
  const desk = await new BusyDesk(options).start();
  desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
    status: "ok",
    threadBindingReady: true,
    binding: { id: bindingId, address: THREAD },
  }));
  await desk.saysAt(GROVE, "/spawn --thread --mode session --label helper split helper a");
  return desk;
}
