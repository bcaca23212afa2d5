const SHORTEST_ID_CHARS = 8;

/** How much of the ids tells them apart: any beginning that names one is taken for its id. */
export function measureShortIds(ids: readonly string[]): number {
  const longest = Math.max(...ids.map((id) => id.length));
  for (let chars = SHORTEST_ID_CHARS; chars < longest; chars += 1) {
    if (new Set(ids.map((id) => id.slice(0, chars))).size === ids.length) return chars;
  }
  return longest;
}
