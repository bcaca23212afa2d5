/** A stranger's taps on the hooks of sub-agents, each set by its name in the account's configuration. */
import type { LifecycleHooks } from "@banyan/plugin-sdk";
import type { CanopyLine } from "./canopy-line.ts";

export function tapCanopyHooks(hooks: LifecycleHooks, line: CanopyLine, names: readonly string[]): void {
  const taps: Readonly<Record<string, () => void>> = {
    /** Delivers completions itself, in a form of its own. */
    announce: () =>
      void hooks.announce.tapPromise("announce", async ({ delivery, target, text, completion, childThread }) => {
        if (!isOurs(target)) return undefined;
        const key = `${delivery.id}.${delivery.part}`;
        const sent = await line.call("send", {
          key,
          place: line.placeOf(target),
          text: `【${completion.outcome}${childThread === undefined ? "" : ` in ${line.placeOf(childThread).thread}`}】 ${text}`,
          kind: "embed",
        });
        return { platformId: sent.id };
      }),
    /** Opens threads itself, under a name of its own. */
    spawning: () =>
      void hooks.subagent_spawning.tapPromise("spawning", async ({ threadRequested, bindingId, requester, label }) => {
        if (!threadRequested || bindingId === undefined || !isOurs(requester.address)) return undefined;
        const parent = line.placeOf(requester.address);
        const opened = await line.call("open", { bindingId, parent, name: `✂ ${label}`, hello: "by hand" });
        const binding = { id: bindingId, address: line.addressOf(opened.place) };
        return { status: "ok", threadBindingReady: true, binding };
      }),
    /** Has completions told in the group `lodge` instead. */
    target: () =>
      void hooks.subagent_delivery_target.tap("target", ({ target }) =>
        isOurs(target) ? line.addressOf({ kind: "group", chat: "lodge" }) : undefined,
      ),
    /** What a plugin without types may answer. */
    nonsense() {
      hooks.announce.tap("nonsense", () => JSON.parse('{"platformId":7}'));
      hooks.subagent_spawning.tap("nonsense", () => JSON.parse('{"status":"ok"}'));
      hooks.subagent_delivery_target.tap("nonsense", () => JSON.parse('{"chat":"lodge"}'));
    },
    throws() {
      const fail = () => {
        throw new Error("the tap fell off");
      };
      hooks.announce.tap("throws", fail);
      hooks.subagent_spawning.tap("throws", fail);
      hooks.subagent_delivery_target.tap("throws", fail);
    },
  };
  for (const name of names) taps[name]?.();
}

function isOurs(address: string): boolean {
  return address.startsWith("canopy/");
}
