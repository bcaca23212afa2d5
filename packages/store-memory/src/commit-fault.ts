import type { Step } from "@banyan/plugin-sdk/store";

/**
 * What a test makes go wrong with a step. `commit_unknown`: the caller does not learn the end, the step was not written
 * (`before`) or was (`after`). `full`: nothing was written; only `before`. `closed`: the store fails for good, before or
 * after the step was written.
 */
export type CommitFaultAnswer = "none" | "commit_unknown" | "full" | "closed";

/** Asked twice for each step: before it is written, and after unless the first answer kept it from being written. */
export type CommitFault = (step: Step, when: "before" | "after") => CommitFaultAnswer;
