/** `pnpm site`: builds the site and serves it, on the loopback interface alone. `--port` is another port than 4173. */
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { SITE_FOLDER } from "./site-config.ts";
import { serveSite } from "./site-server.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "4173" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  throw new RangeError(`Serving the site: --port is a number from 0 to 65535, received ${values.port}`);
await build(import.meta.dirname);
const { url } = await serveSite(SITE_FOLDER, port);
console.log(`The documents: ${url}   Ctrl-C stops.`);
