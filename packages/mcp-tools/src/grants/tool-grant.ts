import { randomUUID } from "node:crypto";
import type { ToolDescription, ToolResult } from "@banyan/plugin-sdk";
import { type AnsweredRequest, isSameCall, RequestBook, type ToolRequest } from "./request-book.ts";

/** A client that connects again and again loses its oldest connection. */
const MOST_CONNECTIONS = 16;
/** Of one turn. More is a flood, not work. */
const MOST_CALLS_AT_ONCE = 32;

/** A turn at work, as whom the calls are made. */
export interface ToolTurn {
  /** Rejects when the turn is over. */
  call(name: string, args: unknown): Promise<ToolResult>;
}

/** What the holder of one bearer may do: see these tools, and call them while a turn of its conversation is at work. */
export class ToolGrant {
  /** Of the bearer, which is kept nowhere. */
  readonly digest: Buffer;
  #tools: readonly ToolDescription[];
  #turn: ToolTurn | undefined;
  #callsAtOnce = 0;
  #isRevoked = false;
  readonly #connections = new Map<string, RequestBook>();
  /** Calls of the turn that their client has waited for no longer. */
  #unheard: AnsweredRequest[] = [];

  constructor(digest: Buffer, tools: readonly ToolDescription[]) {
    this.digest = digest;
    this.#tools = tools;
  }

  get isRevoked(): boolean {
    return this.#isRevoked;
  }

  get tools(): readonly ToolDescription[] {
    return this.#tools;
  }

  /** From now on, and until it is called back, calls are made as this turn, with its tools. */
  begin(turn: ToolTurn, tools: readonly ToolDescription[]): () => void {
    this.#endTurn();
    this.#turn = turn;
    this.#tools = tools;
    return () => {
      if (this.#turn === turn) this.#endTurn();
    };
  }

  /** The bearer is worth nothing any more. Repeatable. */
  revoke(): void {
    this.#isRevoked = true;
    this.#endTurn();
    this.#tools = [];
    this.#connections.clear();
  }

  /** A client says hello: the id under which its requests are numbered. It proves nothing; the bearer does. */
  connect(): string {
    const id = randomUUID();
    this.#connections.set(id, new RequestBook());
    const oldest = this.#connections.size > MOST_CONNECTIONS ? this.#connections.keys().next().value : undefined;
    if (oldest !== undefined) this.#connections.delete(oldest);
    return id;
  }

  /** Whether the connection stands; one that does not is to be opened anew. */
  knows(connection: string): boolean {
    const book = this.#connections.get(connection);
    return book !== undefined && !book.isFull;
  }

  /**
   * A client waits for a request no longer, as when a person is asked who takes his time. The call goes on; when it is made
   * again in this turn, it has that one's answer, once, and no second effect.
   */
  giveUp(connection: string, id: string | number): void {
    const asked = this.#connections.get(connection)?.get(id);
    if (asked !== undefined && !this.#unheard.includes(asked)) this.#unheard.push(asked);
  }

  /** Never rejects: what cannot be done is a result. The same request again has the same answer. */
  async call(connection: string, request: ToolRequest): Promise<ToolResult> {
    const { name } = request;
    const book = this.#connections.get(connection);
    if (book === undefined) return refuse(name, "this connection is over; connect again");
    const place = book.find(request);
    if (place.kind === "again") return place.answer;
    if (place.kind === "past") return refuse(name, "this request was made in an earlier turn; make a new one");
    if (place.kind === "other")
      return refuse(name, `the request ${request.id} was another call; give each request a new number`);
    if (this.#turn === undefined)
      return refuse(name, "no turn of this conversation is at work; call tools only while you answer a message");
    const unheard = this.#unheard.find((asked) => isSameCall(asked.request, request));
    if (unheard !== undefined) {
      this.#unheard = this.#unheard.filter((asked) => asked !== unheard);
      book.keep(request, unheard.answer);
      return unheard.answer;
    }
    if (this.#callsAtOnce >= MOST_CALLS_AT_ONCE)
      return refuse(name, `${MOST_CALLS_AT_ONCE} calls are under way already; wait for their results`);
    const answer = this.#make(this.#turn, request);
    book.keep(request, answer);
    return answer;
  }

  async #make(turn: ToolTurn, { name, args }: ToolRequest): Promise<ToolResult> {
    this.#callsAtOnce += 1;
    try {
      return await turn.call(name, args);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return refuse(name, `the turn that made the call is over (${why}); do nothing more for it`);
    } finally {
      this.#callsAtOnce -= 1;
    }
  }

  #endTurn(): void {
    this.#turn = undefined;
    this.#unheard = [];
    for (const book of this.#connections.values()) book.turnOver();
  }
}

function refuse(name: string, why: string): ToolResult {
  return { text: `The tool ${name} was called: ${why}.`, isError: true };
}
