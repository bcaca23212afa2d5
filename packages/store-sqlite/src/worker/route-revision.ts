import type { DatabaseSync } from "node:sqlite";
import { readNumber } from "../database/column.ts";

/** Of what routing decides by. Kept in memory, since every input looks at it; only this process writes it. */
export class RouteRevision {
  readonly #read: () => number;
  readonly #save: (revision: number) => void;
  #present: number | undefined;

  constructor(database: DatabaseSync) {
    const read = database.prepare("SELECT value FROM meta WHERE name = 'route_revision'");
    const save = database.prepare("UPDATE meta SET value = ? WHERE name = 'route_revision'");
    this.#read = () => readNumber(read.get()?.value);
    this.#save = (revision) => {
      save.run(revision);
    };
  }

  get(): number {
    this.#present ??= this.#read();
    return this.#present;
  }

  /** In the transaction that changes what stands. */
  raise(): void {
    this.#present = this.get() + 1;
    this.#save(this.#present);
  }

  /** After a rollback: what was raised in it never was. */
  forget(): void {
    this.#present = undefined;
  }
}
