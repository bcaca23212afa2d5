/** Where held calls wait until a test lets them pass or cuts their connections. */
export class Gate {
  readonly #waiting = new Set<(end: "pass" | "cut") => void>();

  get heldCount(): number {
    return this.#waiting.size;
  }

  /** A caller that hangs up while it is held stays held: what happens to its call is the test's to say. */
  hold(): Promise<"pass" | "cut"> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  open(end: "pass" | "cut"): void {
    for (const resolve of this.#waiting) resolve(end);
    this.#waiting.clear();
  }
}
