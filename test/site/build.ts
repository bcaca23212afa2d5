/**
 * `pnpm site:build`: builds the site into `dist/site`, or into the folder `--into`. A dead link, or an asset that is not
 * part of the site, fails the build.
 */
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { SITE_FOLDER } from "./site-config.ts";
import { listSiteFaults } from "./site-faults.ts";

const { values } = parseArgs({ options: { into: { type: "string", default: SITE_FOLDER } } });
await build(import.meta.dirname, { outDir: values.into });
const faults = listSiteFaults(values.into);
for (const fault of faults) console.error(`FAILED ${fault}`);
if (faults.length > 0) process.exitCode = 1;
else console.log(`ok     the site in ${values.into}`);
