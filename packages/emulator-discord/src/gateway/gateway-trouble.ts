/** What a test does to the dispatches and sessions of one emulator; nothing by itself. */
export class GatewayTrouble {
  /** Whether heartbeats are left without their acknowledgement (D48). */
  isSilent = false;
  /** Whether nobody gets a connection. */
  isDown = false;
  /** The code with which each connection is closed that wants to begin or resume a session. */
  turnAwayCode: number | undefined;
  #ignoreCount = 0;
  #refusals: ("invalid" | number)[] = [];
  #forgetCount = 0;
  #endlessCount = 0;
  #duplicateCount = 0;
  #reorderCount = 0;
  #held: string[] = [];

  /** The next RESUME gets op 9, or is closed with a code (D46). */
  refuseResume(how: "invalid" | number): void {
    this.#refusals.push(how);
  }

  takeRefusal(): "invalid" | number | undefined {
    return this.#refusals.shift();
  }

  /** The next RESUME is never answered. */
  ignoreResume(): void {
    this.#ignoreCount += 1;
  }

  takeIgnoring(): boolean {
    if (this.#ignoreCount === 0) return false;
    this.#ignoreCount -= 1;
    return true;
  }

  /** The next RESUME gets its dispatches, and those that follow, but no RESUMED. */
  replayEndlessly(): void {
    this.#endlessCount += 1;
  }

  takeEndlessness(): boolean {
    if (this.#endlessCount === 0) return false;
    this.#endlessCount -= 1;
    return true;
  }

  /** The next RESUME gets READY in place of what it missed (D50). */
  forgetReplay(): void {
    this.#forgetCount += 1;
  }

  takeForgetting(): boolean {
    if (this.#forgetCount === 0) return false;
    this.#forgetCount -= 1;
    return true;
  }

  duplicate(count: number): void {
    this.#duplicateCount = count;
  }

  reorder(count: number): void {
    this.#reorderCount = count;
    this.#held = [];
  }

  /** The frames to write in place of this one. */
  arrange(frame: string): readonly string[] {
    if (this.#reorderCount > 0) {
      this.#held.push(frame);
      if (this.#held.length < this.#reorderCount) return [];
      const frames = this.#held.toReversed();
      this.reorder(0);
      return frames;
    }
    if (this.#duplicateCount === 0) return [frame];
    this.#duplicateCount -= 1;
    return [frame, frame];
  }
}
