import type { LifecycleHooks } from "@banyan/plugin-sdk";

/** What the taps were told, in the order of their calls. */
export type ToldTaps = { readonly hook: string; readonly what: string }[];

/** A stranger's taps, each set by its name in the account's configuration; well-behaved and bad ones. */
export function tapHooks(hooks: LifecycleHooks, names: readonly string[]): ToldTaps {
  const told: ToldTaps = [];
  const never = () => new Promise<never>(() => undefined);
  const taps: Readonly<Record<string, () => void>> = {
    listen() {
      hooks.message_received.tap("listen", ({ kind, message }) => {
        told.push({ hook: "message_received", what: `${kind} ${message.text}` });
      });
      hooks.after_turn.tap("listen", ({ outcome, sessionKey }) => {
        told.push({ hook: "after_turn", what: `${outcome} ${sessionKey}` });
      });
    },
    context: () =>
      void hooks.before_turn.tap("context", () => ({ context: [{ label: "weather", text: "rain in the grove" }] })),
    change: () => void hooks.message_sending.tap("change", ({ text }) => ({ text: text.toUpperCase() })),
    cancel: () =>
      void hooks.message_sending.tap("cancel", ({ text }) =>
        /secret/i.test(text) ? { cancel: "it holds a secret" } : undefined,
      ),
    throw() {
      for (const point of [hooks.message_received, hooks.after_turn, hooks.gateway_start] as const)
        point.tapPromise("thrower", () => Promise.reject(new Error("the tap fell off")));
      hooks.message_sending.tap("thrower", () => {
        throw new Error("the tap fell off");
      });
      hooks.before_turn.tapPromise("thrower", () => Promise.reject(new Error("the tap fell off")));
    },
    hang() {
      hooks.message_received.tapPromise("hanger", never);
      hooks.before_turn.tapPromise("hanger", never);
      hooks.message_sending.tapPromise("hanger", never);
      hooks.after_turn.tapPromise("hanger", never);
    },
    "throw-required": () =>
      void hooks.message_sending.tap({ name: "censor", isRequired: true }, () => {
        throw new Error("the censor is ill");
      }),
    /** What a plugin without types may answer. */
    nonsense() {
      hooks.message_sending.tap("null", () => JSON.parse("null"));
      hooks.message_sending.tap("text", () => JSON.parse('"hello"'));
      hooks.message_sending.tap("number", () => JSON.parse('{"text":5}'));
      hooks.before_turn.tap("null", () => JSON.parse("null"));
      hooks.before_turn.tap("empty", () => JSON.parse("{}"));
      hooks.before_turn.tap("text", () => JSON.parse('{"context":"rain"}'));
    },
  };
  for (const name of names) taps[name]?.();
  return told;
}
