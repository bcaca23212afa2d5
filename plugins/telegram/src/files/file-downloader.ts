import type { AttachmentReference } from "@banyan/plugin-sdk";
import { ChannelError, type ChannelFetch, type FileRequest, type FilesAbility } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import type { FaultReport } from "../fault-report.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import { buildFileUrl } from "./file-url.ts";

export interface FileDownloaderOptions {
  readonly bot: Bot;
  readonly config: Pick<TelegramConfig, "token" | "apiBaseUrl">;
  readonly fetch: ChannelFetch;
  readonly reportFault: FaultReport;
}

/** 20 MB over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 110_000;
/** A link is asked for before each download; one that is refused all the same is asked for once more. */
const MOST_TRIES = 2;

/**
 * Files of messages, by getFile and its link, which holds the token and is good for an hour: it is kept nowhere, and no
 * error names it.
 */
export function createFileDownloader(options: FileDownloaderOptions): FilesAbility {
  const { reportFault } = options;
  return {
    async download(file, request) {
      const attempt = `Fetching the file ${JSON.stringify(file.name ?? file.id)} from Telegram`;
      try {
        for (let tries = 1; ; tries += 1) {
          const answer = await openDownload(options, file, request);
          if (answer.kind === "open") return answer.body;
          if (tries === MOST_TRIES) throw refuse(attempt, answer.status);
        }
      } catch (error) {
        throw reportFault(attempt, error);
      }
    },
  };
}

type Download =
  | { readonly kind: "open"; readonly body: ReadableStream<Uint8Array> }
  | { readonly kind: "refused"; readonly status: number };

async function openDownload(
  { bot, config, fetch }: FileDownloaderOptions,
  file: AttachmentReference,
  { limitBytes, signal }: FileRequest,
): Promise<Download> {
  const { file_path: path } = await bot.api.getFile(file.id);
  const url = buildFileUrl(config, path);
  const response = await fetch(url, { isStreamed: true, limitBytes, signal, timeoutMs: DOWNLOAD_TIMEOUT_MS });
  const { ok, status, body } = response;
  if (ok && body) return { kind: "open", body };
  await body?.cancel();
  return { kind: "refused", status };
}

function refuse(attempt: string, status: number): ChannelError {
  const isPassing = status >= 500;
  const advice = isPassing ? "Telegram has trouble, try again later" : "ask for the file to be sent again";
  const what = `its link was answered with ${status}, ${MOST_TRIES} times`;
  return new ChannelError(isPassing ? "definite" : "permanent", `${attempt}: ${what}; ${advice}`);
}
