/** Sizes are small numbers in hexadecimal; what follows a semicolon is for nobody here. */
const SIZE_LINE = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/;
const LINE_LIMIT_BYTES = 4_096;
const NOTHING: Buffer = Buffer.alloc(0);

type Stage = "size" | "data" | "data end" | "trailer";

/** Takes a chunked body (RFC 9112, section 7.1) apart. */
export class ChunkedBody {
  #stage: Stage = "size";
  /** Bytes that are missing of the present chunk. */
  #missing = 0;
  /** The beginning of a line. */
  #line: Buffer = NOTHING;

  /** `ended with more` is the end and bytes behind it; `wrong` is no chunked body. */
  push(bytes: Buffer, take: (data: Buffer) => void): "more" | "ended" | "ended with more" | "wrong" {
    let rest = this.#line.length === 0 ? bytes : Buffer.concat([this.#line, bytes]);
    this.#line = NOTHING;
    while (rest.length > 0) {
      if (this.#stage === "data") {
        const data = rest.subarray(0, this.#missing);
        this.#missing -= data.length;
        rest = rest.subarray(data.length);
        take(data);
        if (this.#missing === 0) this.#stage = "data end";
        continue;
      }
      const end = rest.indexOf("\r\n");
      if ((end < 0 ? rest.length : end) > LINE_LIMIT_BYTES) return "wrong";
      if (end < 0) {
        this.#line = rest;
        return "more";
      }
      const isLast = this.#readLine(rest.toString("latin1", 0, end));
      rest = rest.subarray(end + 2);
      if (isLast === undefined) return "wrong";
      if (isLast) return rest.length === 0 ? "ended" : "ended with more";
    }
    return "more";
  }

  /** Whether the body ends with this line; `undefined` for a line that does not belong there. */
  #readLine(line: string): boolean | undefined {
    switch (this.#stage) {
      case "size": {
        const [, size] = SIZE_LINE.exec(line) ?? [];
        if (size === undefined) return undefined;
        this.#missing = Number.parseInt(size, 16);
        this.#stage = this.#missing === 0 ? "trailer" : "data";
        return false;
      }
      case "data end":
        this.#stage = "size";
        return line === "" ? false : undefined;
      default:
        return line === "";
    }
  }
}
