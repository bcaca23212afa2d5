/** A door in a script that the test opens: until then the turn stands before it. Opens for good. */
export interface Gate {
  open(): void;
  readonly opened: Promise<void>;
  /** Called by who comes to the gate. */
  reach(): void;
  /** Resolves when somebody has come to it, so that a test needs no sleep. */
  readonly reached: Promise<void>;
}

export function createGate(): Gate {
  const opening = Promise.withResolvers<void>();
  const arrival = Promise.withResolvers<void>();
  return { open: opening.resolve, opened: opening.promise, reach: arrival.resolve, reached: arrival.promise };
}
