import { matchesWord } from "./word-pattern.ts";

/** `above`: something below the path may be meant. */
export type PathMatch = "yes" | "above" | "no";

const ANY = "**";

/**
 * What a pattern says of a path, both relative with `/`; `.` is the folder itself. A pattern stands for what it names and all
 * below it; `*` stays within a name, `**` stands for any number of folders.
 */
export function matchPath(pattern: string, path: string): PathMatch {
  const wanted = readSegments(pattern);
  const given = readSegments(path);
  let places = skipAny(wanted, new Set([0]));
  for (const segment of given) {
    if (places.has(wanted.length)) return "yes";
    const next = new Set<number>();
    for (const place of places) {
      const piece = wanted[place];
      if (piece === ANY) next.add(place);
      else if (piece !== undefined && matchesWord(piece, segment)) next.add(place + 1);
    }
    places = skipAny(wanted, next);
    if (places.size === 0) return "no";
  }
  return places.has(wanted.length) ? "yes" : "above";
}

/** Without a `**` at the end, which all that lies below is meant by anyway. */
function readSegments(text: string): readonly string[] {
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.at(-1) === ANY ? segments.slice(0, -1) : segments;
}

/** A `**` also stands for no folder at all. */
function skipAny(wanted: readonly string[], places: ReadonlySet<number>): Set<number> {
  const all = new Set(places);
  for (const place of all) if (wanted[place] === ANY) all.add(place + 1);
  return all;
}
