import type { ListedFile } from "./file-listing.ts";

/** What a file costs besides its bytes: the call that reads it. It also spreads files that are empty. */
const COST_PER_FILE_BYTES = 1024;

/**
 * Splits files into so many shares of about equal work. The same files give the same shares in every process: each child
 * finds its own by its number. Shares are empty only when there are fewer files than shares.
 */
export function splitFiles(files: readonly ListedFile[], shares: number): readonly (readonly ListedFile[])[] {
  const piles = Array.from({ length: shares }, () => ({ files: new Set<ListedFile>(), bytes: 0 }));
  const [first] = piles;
  if (first === undefined) return [];
  const largestFirst = [...files].sort((one, two) => two.bytes - one.bytes || comparePaths(one, two));
  for (const file of largestFirst) {
    const lightest = piles.reduce((least, pile) => (pile.bytes < least.bytes ? pile : least), first);
    lightest.files.add(file);
    lightest.bytes += file.bytes + COST_PER_FILE_BYTES;
  }
  return piles.map((pile) => files.filter((file) => pile.files.has(file)));
}

/** Not by a locale: machines differ in that. */
function comparePaths({ path: one }: ListedFile, { path: two }: ListedFile): number {
  if (one === two) return 0;
  return one < two ? -1 : 1;
}
