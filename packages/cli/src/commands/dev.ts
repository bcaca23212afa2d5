import { openDev } from "../dev/open-dev.ts";
import { runUntilTold } from "../gateway/run-until-told.ts";
import { formatListeningLines, formatReadyLines, wrapStartLines } from "../gateway/start-lines.ts";
import type { GlobalOptions } from "../global-options.ts";
import { writeLines } from "../terminal/write-out.ts";

/** `banyan dev`: the gateway with emulated platforms and a page to play both sides; no token, no account. */
export async function dev(options: GlobalOptions): Promise<void> {
  await runUntilTold(async ({ signal, onFailure }) => {
    const open = await openDev({
      configFile: options.config,
      cwd: process.cwd(),
      env: process.env,
      isTerminal: process.stderr.isTTY,
      onFailure,
      signal,
    });
    const lines = [
      ...formatListeningLines(open),
      `  ● dev page    ${open.pageUrl}   (an emulated Telegram and Discord next to the web chat)`,
      ...formatReadyLines(open),
    ];
    await writeLines(wrapStartLines(lines, process.stdout.columns));
    return { stop: () => open.stop(), countTurns: () => open.gateway.load.turns };
  });
}
