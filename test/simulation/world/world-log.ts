import { createLog, createSecretScrubber, type Ports } from "@banyan/core";
import { SECRET } from "./secret.ts";

/** The log of the worlds that are played one after another: opening one is dear, and each world reads its own lines. */
export class WorldLog {
  readonly scrubber: ReturnType<typeof createSecretScrubber> = createSecretScrubber([SECRET]);
  readonly log: Ports["log"];
  #read: (line: string) => void = () => undefined;

  constructor() {
    const write = (line: string) => this.#read(line);
    this.log = createLog({ level: "warn", pretty: false, scrubber: this.scrubber, write });
  }

  /** Lines go to this world from now on. */
  attach(read: (line: string) => void): void {
    this.#read = read;
  }
}
