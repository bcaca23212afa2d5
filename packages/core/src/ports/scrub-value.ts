/** A piece of JSON whose texts pass `scrub`, keys included; numbers are no secrets. The value itself where it is clean. */
export function scrubValue(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === "string") return scrub(value);
  if (typeof value !== "object" || value === null) return value;
  const text = JSON.stringify(value);
  if (scrub(text) === text) return value;
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, scrub));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [scrub(key), scrubValue(item, scrub)]));
}
