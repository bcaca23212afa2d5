/** `pnpm test` draws the same examples each time. `pnpm test:long` draws a seed, tells it and hands it on. */
import fc from "fast-check";

const FIXED = 20_260_731;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.TEST_SEED ?? FIXED) });
