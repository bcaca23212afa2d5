/** Seeds the property tests. `pnpm test` uses a fixed seed; `pnpm test:long` prints a new one and sets `TEST_SEED`. */
import fc from "fast-check";

const FIXED = 20_260_731;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.TEST_SEED ?? FIXED) });
