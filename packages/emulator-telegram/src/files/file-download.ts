import { refuse } from "../answers/answer.ts";
import { findTrouble } from "../bots/bot-trouble.ts";
import type { FaultList } from "../faults/fault-list.ts";
import type { Platform } from "../platform.ts";
import type { CallJournal } from "../records/call-record.ts";
import type { Exchange } from "../server/exchange.ts";

export interface FileDownloadParts {
  readonly platform: Platform;
  readonly journal: CallJournal;
  readonly faults: FaultList;
}

/** What a download is called in the record of calls and in faults; of those, the ones that cut or answer an error. */
const DOWNLOAD = "downloadFile";

/** Serves `/file/bot<token>/<file_path>`. A link that was never given, or is too old, is not found. */
export async function answerDownload(parts: FileDownloadParts, exchange: Exchange, path: string): Promise<void> {
  const { platform, journal, faults } = parts;
  const [, token = "", filePath = ""] = /^\/file\/bot(\d+:[A-Za-z0-9_-]+)\/(.+)$/.exec(path) ?? [];
  const bot = platform.bots.findByToken(token);
  const nowMs = platform.clock.nowMs();
  const owner = bot === undefined ? {} : { botId: bot.id };
  const record = journal.open({ ...owner, method: DOWNLOAD, params: { path: filePath }, atMs: nowMs });
  const settle = (status: number) => journal.settle(record, { status, body: null }, exchange.isGone, nowMs);
  const fault = faults.take({ method: DOWNLOAD, botId: bot?.id, chatId: undefined });
  if (fault !== undefined) {
    record.fault = fault.fault.kind;
    faults.announceMet(fault);
    settle(502);
    return fault.fault.kind === "server-error" ? exchange.send(502, "text/html", "<html></html>") : exchange.cut();
  }
  const file = platform.files.findByLink(filePath, nowMs);
  const isKnown = bot !== undefined && findTrouble(bot.trouble, DOWNLOAD) === undefined;
  if (!isKnown || file === undefined) {
    const status = isKnown ? 404 : 401;
    settle(status);
    return exchange.sendJson(status, refuse(status, isKnown ? "Not Found" : "Unauthorized"));
  }
  journal.accept(record);
  settle(200);
  exchange.send(200, "application/octet-stream", file.bytes);
}
