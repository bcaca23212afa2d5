/** A reader of an event stream, as a browser or a terminal is one. */
export class TestReader {
  readonly status: number;
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(response: Response) {
    this.status = response.status;
    this.response = response;
    this.#reader = response.status === 200 ? response.body?.getReader() : undefined;
  }

  /** The next events, as "type text". Pings are skipped. */
  async hears(count: number): Promise<string[]> {
    const heard: string[] = [];
    while (heard.length < count) {
      const frame = await this.frame();
      if (frame === undefined) return [...heard, "(end)"];
      if (!frame.startsWith(":")) heard.push(summarise(frame));
    }
    return heard;
  }

  /** The next event or ping as it is on the wire; `undefined` at the end. */
  async frame(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const frame = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return frame;
      }
      const next = await this.#reader?.read();
      if (next === undefined || next.done) return undefined;
      this.#text += this.#decoder.decode(next.value, { stream: true });
    }
  }

  async leaves(): Promise<void> {
    await this.#reader?.cancel();
  }
}

function summarise(frame: string): string {
  const [, type = "?", data = "{}"] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
  const { role, id, text, turnId } = JSON.parse(data);
  return [type, role, id ?? turnId, text].filter((part) => part !== undefined).join(" ");
}
