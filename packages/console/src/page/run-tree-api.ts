import { parseRunTree, type RunTree } from "./run-tree.ts";

/** The chat of this page. */
const ADDRESS = "webchat/default/dm/operator";
const TIMEOUT_MS = 10_000;

export type RunTreeRead =
  | { readonly status: "read"; readonly tree: RunTree }
  | { readonly status: "unauthorized" | "unreachable" };

/** Where the sub-agents of this chat are asked for, with every end as a value. */
export class RunTreeApi {
  readonly #getToken: () => string | undefined;

  constructor(getToken: () => string | undefined) {
    this.#getToken = getToken;
  }

  async read(): Promise<RunTreeRead> {
    const headers = { authorization: `Bearer ${this.#getToken() ?? ""}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const query = new URLSearchParams({ address: ADDRESS });
      const response = await fetch(`/api/runs?${query}`, { headers, signal, cache: "no-store" });
      if (response.status === 401) return { status: "unauthorized" };
      const tree = response.ok ? parseRunTree(await response.json()) : undefined;
      return tree === undefined ? { status: "unreachable" } : { status: "read", tree };
    } catch {
      // The browser does not tell a script why; trying again is all there is to do.
      return { status: "unreachable" };
    }
  }
}
