/** Preloaded by a test: writes the address of each module that the program loads into the file that a variable names. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = process.env.BANYAN_TEST_MODULES ?? "";

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});
