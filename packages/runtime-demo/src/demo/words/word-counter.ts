/** Counts runs of characters that are no white space, over pieces that may cut a word in two. */
export class WordCounter {
  #words = 0;
  #isInWord = false;

  get words(): number {
    return this.#words;
  }

  add(piece: string): void {
    if (piece === "") return;
    const runs = piece.match(/\S+/gu)?.length ?? 0;
    const continues = this.#isInWord && /^\S/u.test(piece);
    this.#words += continues ? runs - 1 : runs;
    this.#isInWord = /\S$/u.test(piece);
  }
}
