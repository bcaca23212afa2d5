/**
 * Whether a pattern stands for a word: `*` is any number of characters, all else is itself. At worst the product of the
 * two lengths, whatever they are: there is nothing to go back over but the last `*`.
 */
export function matchesWord(pattern: string, word: string): boolean {
  let inPattern = 0;
  let inWord = 0;
  let star = -1;
  let retry = 0;
  while (inWord < word.length) {
    if (pattern[inPattern] === "*") {
      star = inPattern;
      inPattern += 1;
      retry = inWord;
    } else if (inPattern < pattern.length && pattern[inPattern] === word[inWord]) {
      inPattern += 1;
      inWord += 1;
    } else if (star >= 0) {
      retry += 1;
      inPattern = star + 1;
      inWord = retry;
    } else return false;
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern === pattern.length;
}
