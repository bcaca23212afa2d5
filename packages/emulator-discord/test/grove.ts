import type { BotSpec } from "../src/index.ts";

/** The bot of the tests. */
export const GROVE: BotSpec & { readonly id: string } = {
  token: "MTAwMDAwMDAwMDAwMDAwMDAx.grove.secret",
  username: "grove",
  id: "100000000000000001",
};
