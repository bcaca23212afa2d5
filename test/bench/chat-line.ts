import { Agent, type IncomingMessage, request } from "node:http";

/** Where a gateway's web chat is, and what opens it. */
export interface ChatDoor {
  readonly url: string;
  readonly token: string;
}

/** What somebody is told. */
export interface ChatAnswer {
  readonly kind: string;
  readonly text: string;
}

/** Somebody at the web chat: says by POST and hears by the stream of events, as cheaply as the client can. */
export class ChatLine {
  readonly peer: string;
  readonly #door: ChatDoor;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #hear: (answer: ChatAnswer) => void = () => undefined;

  private constructor(peer: string, door: ChatDoor) {
    this.peer = peer;
    this.#door = door;
  }

  /** Resolves when the stream stands. */
  static async open(peer: string, door: ChatDoor): Promise<ChatLine> {
    const line = new ChatLine(peer, door);
    const stream = await line.#call("GET", `/api/webchat/events?peer=${peer}`, undefined, new Agent());
    if (stream.statusCode !== 200)
      throw new Error(`the stream of ${peer} was opened: it answered ${stream.statusCode}`);
    let text = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      const events = (text + chunk).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) line.#read(event);
    });
    return line;
  }

  /** Calls back with each answer, until it is replaced. */
  listen(hear: (answer: ChatAnswer) => void): void {
    this.#hear = hear;
  }

  /** Resolves once it is stored. */
  async says(text: string): Promise<void> {
    const answer = await this.#call(
      "POST",
      "/api/webchat/messages",
      JSON.stringify({ peer: this.peer, text }),
      this.#agent,
    );
    answer.resume();
    if (answer.statusCode !== 202) throw new Error(`${this.peer} said ${text}: it was answered ${answer.statusCode}`);
    await new Promise((resolve) => answer.once("end", resolve));
  }

  close(): void {
    this.#agent.destroy();
  }

  #read(event: string): void {
    if (!event.startsWith("event: message\n")) return;
    const { role, kind, text } = JSON.parse(event.slice(event.indexOf("data: ") + 6));
    if (role === "assistant") this.#hear({ kind, text });
  }

  #call(method: string, path: string, body: string | undefined, agent: Agent): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${this.#door.token}`, "content-type": "application/json" };
    return new Promise((resolve, reject) => {
      request(this.#door.url + path, { method, agent, headers }, resolve)
        .once("error", reject)
        .end(body);
    });
  }
}
