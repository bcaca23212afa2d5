/** What a copied context may hold at most. */
export const FORK_LIMIT_TOKENS = 100_000;
