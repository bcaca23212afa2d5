/**
 * What is measured over the web chat, as a process of its own: a gateway with the agents `echo` and `held`. The latter
 * stands still until the parent lets it go on.
 */
import { openGateway } from "banyan";
import { enablePrivateCompileCache } from "../../packages/cli/src/compile-cache.js";

enablePrivateCompileCache();
const [, , folder = ""] = process.argv;
const held = Promise.withResolvers<void>();
process.stdin.once("close", () => process.exit(0)).resume();
process.on("message", (question) => {
  if (question === "release") return held.resolve();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6, rssBytes: process.memoryUsage.rss() });
});

const { gateway, token } = await openGateway({
  cwd: folder,
  env: {},
  runtimes: { held: async () => (await import("./held-runtime.ts")).createHeldRuntime(held.promise) },
});
process.send?.({ url: gateway.url, token });
