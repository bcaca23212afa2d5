import { type ConfigPath, matchesPath } from "../problems/config-path.ts";

/** The process's environment, or what stands for it. A blank variable counts as not set, as in compose files. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Keys whose values are no texts, so that `env:NAME` and a variable can give them. */
const FORMS: readonly (readonly [pattern: string, form: EnvironmentForm])[] = [
  ["server.port", "number"],
  ["log.pretty", "boolean"],
  ["session.acceptSharedDm", "boolean"],
  ["store.readable", "boolean"],
  ["agents.*.default", "boolean"],
  ["agents.*.fallbackModels", "list"],
  ["agents.*.tools.allow", "list"],
  ["agents.*.tools.deny", "list"],
  ["agents.*.tools.ask", "list"],
  ["providers.*.contextWindow", "number"],
  ["providers.*.images", "boolean"],
  ["providers.*.models", "list"],
  ["channels.*.accounts.*.enabled", "boolean"],
  ["channels.*.accounts.*.allowFrom", "list"],
];

export type EnvironmentForm = "text" | "number" | "boolean" | "list";

/** A variable's value without the blanks around it, or `undefined` when it is not set. */
export function findVariable(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
  return value === "" ? undefined : value;
}

/** The form that a path's value has in a file. */
export function findForm(path: ConfigPath): EnvironmentForm {
  return FORMS.find(([pattern]) => matchesPath(path, pattern))?.[1] ?? "text";
}

/** Reads a variable's text in a form. A text that is not of it stays, so that the schema refuses it. */
export function parseEnvironmentValue(text: string, form: EnvironmentForm): unknown {
  switch (form) {
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || (text === "false" ? false : text);
    case "list":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    case "text":
      return text;
  }
}
