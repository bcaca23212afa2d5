import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { rekeySession } from "../state/operate-sessions.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

export interface SessionsRekeyOptions extends GlobalOptions {
  readonly acceptShared?: boolean;
  readonly json?: boolean;
}

/** `banyan sessions rekey`: a conversation goes on under another key. */
export async function sessionsRekey(from: string, to: string, options: SessionsRekeyOptions): Promise<void> {
  const loaded = await loadStateConfig(options.config);
  const moved = await rekeySession(loaded, { from, to, acceptShared: options.acceptShared ?? false });
  if (options.json) return writeJson(moved);
  await writeLines([`  ${moved.from} goes on as ${moved.to}`]);
}
