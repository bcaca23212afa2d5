/** More than this and the words have nothing to do with each other. */
const DISTANCE_LIMIT = 3;

/**
 * Gives the word of a list that somebody most likely meant, or `undefined` when none is near: at most one letter in
 * three is wrong, missing, too much or swapped with its neighbour. Case does not count.
 */
export function findNearestWord(word: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Math.min(DISTANCE_LIMIT, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = measureDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/** Edits between two words, a swap of neighbours counting as one; only the last two rows are needed. */
function measureDistance(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          at(row, j - 1) + 1,
          at(last, j) + 1,
          at(last, j - 1) + (isSame ? 0 : 1),
          isSwap ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = row;
  }
  return at(last, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
