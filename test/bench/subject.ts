/** What is measured, as a process of its own: a bare grammY echo bot, or a gateway with the `echo` agent. */
import { enableCompileCache } from "node:module";

export interface SubjectSpec {
  readonly kind: "grammy" | "banyan";
  readonly token: string;
  readonly apiBaseUrl: string;
  readonly folder: string;
}

enableCompileCache();
const spec: SubjectSpec = JSON.parse(process.argv[2] ?? "{}");
process.stdin.once("close", () => process.exit(0)).resume();
// The parent asks for the figures of this process at the beginning and the end of a measured stretch.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6, rssBytes: process.memoryUsage.rss() });
});

if (spec.kind === "grammy") {
  const { Bot } = await import("grammy");
  const bot = new Bot(spec.token, { client: { apiRoot: spec.apiBaseUrl } });
  bot.on("message:text", (context) => context.reply(context.message.text));
  await bot.start();
} else {
  const { openGateway } = await import("banyan");
  await openGateway({
    cwd: spec.folder,
    env: { TELEGRAM_BOT_TOKEN: spec.token, TELEGRAM_API_BASE_URL: spec.apiBaseUrl },
  });
}
