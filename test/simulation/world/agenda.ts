interface Appointment {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** What will happen, in the order of its time; what is due at the same time, in the order it was noted down. A heap. */
export class Agenda {
  readonly #heap: Appointment[] = [];
  #order = 0;

  /** The disposer takes it off again. */
  add(atMs: number, run: () => void): () => void {
    this.#order += 1;
    const appointment: Appointment = { atMs, order: this.#order, run, isCancelled: false };
    this.#rise(this.#heap.push(appointment) - 1, appointment);
    return () => {
      appointment.isCancelled = true;
    };
  }

  /** The time of what comes next. */
  get nextMs(): number | undefined {
    for (let first = this.#heap[0]; first?.isCancelled; first = this.#heap[0]) this.#takeFirst();
    return this.#heap[0]?.atMs;
  }

  take(): Pick<Appointment, "atMs" | "run"> | undefined {
    return this.nextMs === undefined ? undefined : this.#takeFirst();
  }

  #takeFirst(): Appointment | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first;
  }

  #rise(from: number, appointment: Appointment): void {
    let place = from;
    while (place > 0) {
      const parentPlace = (place - 1) >> 1;
      const parent = this.#heap[parentPlace];
      if (parent === undefined || isBefore(parent, appointment)) break;
      this.#heap[place] = parent;
      place = parentPlace;
    }
    this.#heap[place] = appointment;
  }

  #sink(appointment: Appointment): void {
    let place = 0;
    for (;;) {
      const left = this.#heap[2 * place + 1];
      if (left === undefined) break;
      const right = this.#heap[2 * place + 2];
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(appointment, child)) break;
      this.#heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    this.#heap[place] = appointment;
  }
}

function isBefore(one: Appointment, other: Appointment): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
