import { openGateway } from "../gateway/open-gateway.ts";
import { runUntilTold } from "../gateway/run-until-told.ts";
import { formatListeningLines, formatPairingLine, formatReadyLines, wrapStartLines } from "../gateway/start-lines.ts";
import type { GlobalOptions } from "../global-options.ts";
import { reportCrashes } from "../report-crashes.ts";

/** `banyan start`: opens the gateway, says what is on and where, and runs until it is told to end or the store fails. */
export async function start(options: GlobalOptions & { readonly newStore?: boolean }): Promise<void> {
  await runUntilTold(async ({ signal, onFailure }) => {
    const open = await openGateway({
      configFile: options.config,
      cwd: process.cwd(),
      env: process.env,
      newStore: options.newStore ?? false,
      isTerminal: process.stderr.isTTY,
      onLoaded: reportCrashes,
      onFailure,
      onListening: (listening) => print(formatListeningLines(listening)),
      onPairing: (pairing) => print([formatPairingLine(pairing)]),
      signal,
    });
    print(formatReadyLines(open));
    return { stop: () => open.gateway.stop(), countTurns: () => open.gateway.load.turns };
  });
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${wrapStartLines(lines, process.stdout.columns).join("\n")}\n`);
}
