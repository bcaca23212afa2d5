import { isDeepStrictEqual } from "node:util";
import type { ToolResult } from "@banyan/plugin-sdk";

/** Requests of one connection, over all turns; a client that has used them up connects again. */
const MOST_REQUESTS = 5_000;

export interface ToolRequest {
  /** As the client numbers it: unique within its connection. */
  readonly id: string | number;
  readonly name: string;
  readonly args: unknown;
}

/** `again`: asked before in this turn. `past`: in an earlier one. `other`: this number was another call. */
type RequestPlace =
  | { readonly kind: "new" }
  | { readonly kind: "again"; readonly answer: Promise<ToolResult> }
  | { readonly kind: "past" | "other" };

export interface AnsweredRequest {
  readonly request: ToolRequest;
  readonly answer: Promise<ToolResult>;
}

/** What one connection of a client has asked for: a request that comes again is answered again and has no second effect. */
export class RequestBook {
  readonly #present = new Map<string | number, AnsweredRequest>();
  readonly #past = new Set<string | number>();

  get isFull(): boolean {
    return this.#present.size + this.#past.size >= MOST_REQUESTS;
  }

  find({ id, name, args }: ToolRequest): RequestPlace {
    if (this.#past.has(id)) return { kind: "past" };
    const known = this.#present.get(id);
    if (known === undefined) return { kind: "new" };
    return isSameCall(known.request, { name, args }) ? { kind: "again", answer: known.answer } : { kind: "other" };
  }

  /** One of the present turn. */
  get(id: string | number): AnsweredRequest | undefined {
    return this.#present.get(id);
  }

  keep(request: ToolRequest, answer: Promise<ToolResult>): void {
    this.#present.set(request.id, { request, answer });
  }

  /** A turn is over: its numbers stay used, its answers go. */
  turnOver(): void {
    for (const id of this.#present.keys()) this.#past.add(id);
    this.#present.clear();
  }
}

export function isSameCall(
  one: Pick<ToolRequest, "name" | "args">,
  other: Pick<ToolRequest, "name" | "args">,
): boolean {
  return one.name === other.name && isDeepStrictEqual(one.args, other.args);
}
