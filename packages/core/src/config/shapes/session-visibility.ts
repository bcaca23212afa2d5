export const SESSION_VISIBILITIES = ["self", "tree", "agent", "all"] as const;
/**
 * Which sessions an agent may see and write to, the fewest first: its own · those above and below it in its tree ·
 * those of its agent · all.
 */
export type SessionVisibility = (typeof SESSION_VISIBILITIES)[number];
