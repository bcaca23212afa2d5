/**
 * Sandbox levels, the weakest first: a child's is never below its parent's. `workspace`: tools stay inside the workspace.
 * `strict`: also no `exec` and no runtime that is a process of its own. A policy of the host, not an isolation.
 */
export const SANDBOX_LEVELS = ["off", "workspace", "strict"] as const;
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];
