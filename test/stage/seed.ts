/** Gives every property test the seed of its project: fixed in `pnpm test`, drawn and printed in `pnpm test:long`. */
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    seed: number;
  }
}

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject("seed") });
