/** Follows names and indexes into an unknown value. */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.entries(at).find(([key]) => key === String(name))?.[1];
  }
  return at;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
