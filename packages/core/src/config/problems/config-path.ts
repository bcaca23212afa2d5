/** Where a value stands in the configuration: keys and list positions from the root. */
export type ConfigPath = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z0-9_@/-]+$/;
/** A longer key is no key: most likely a value, perhaps a secret, at the wrong place. */
const KEY_LIMIT_CHARS = 32;

/** Writes a path as people do: `channels.telegram.accounts.default`, `routes[0].agent`. The root is "the file". */
export function formatPath(path: ConfigPath): string {
  if (path.length === 0) return "the configuration";
  return path.map(formatStep).join("").replace(/^\./, "");
}

function formatStep(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  if (step.length > KEY_LIMIT_CHARS) return `[a key of ${step.length} characters]`;
  return PLAIN_KEY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** Whether a path is of the form of a pattern: `channels.*.accounts.*.dmPolicy`, where `*` is any one step. */
export function matchesPath(path: ConfigPath, pattern: string): boolean {
  const steps = pattern.split(".");
  return steps.length === path.length && steps.every((step, at) => step === "*" || step === String(path[at]));
}

/** The value at a path, or `undefined` where the path leads nowhere. */
export function findAtPath(root: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isPlainObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }, root);
}

/** Whether a value is an object of keys and values, not a list and not an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** The same tree with one value set; objects on the way are made where there are none. What is no object stays. */
export function withValueAt(root: unknown, path: ConfigPath, value: unknown): unknown {
  const [step, ...below] = path;
  if (step === undefined) return value;
  if (root === undefined) return { [step]: withValueAt(undefined, below, value) };
  if (!isPlainObject(root)) return root;
  return { ...root, [step]: withValueAt(root[String(step)], below, value) };
}
