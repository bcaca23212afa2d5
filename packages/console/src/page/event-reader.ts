/** An event of a stream of server-sent events, as far as this API uses them. */
export interface WireEvent {
  readonly type: string;
  readonly data: string;
}

/** Puts a stream's pieces together; they may break anywhere. */
export class EventReader {
  #rest = "";
  #type = "message";
  #data: string[] = [];

  /** The events that this piece completes. */
  read(piece: string): readonly WireEvent[] {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#readLine(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  #readLine(line: string): readonly WireEvent[] {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (field === "event") this.#type = value;
    if (field === "data") this.#data.push(value);
    return [];
  }

  #complete(): readonly WireEvent[] {
    const event = { type: this.#type, data: this.#data.join("\n") };
    const isEvent = this.#data.length > 0;
    this.#type = "message";
    this.#data = [];
    return isEvent ? [event] : [];
  }
}
