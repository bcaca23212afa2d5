import { type AttachmentReference, ChannelError, type ChannelFetch, type FilesAbility } from "@banyan/plugin-sdk";
import { z } from "zod";
import { type DiscordConfig, isPlatform } from "../discord-config.ts";
import type { FaultReport } from "../fault-report.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { isSnowflake } from "../snowflake.ts";

export interface FileDownloaderOptions {
  readonly api: Pick<DiscordApi, "call">;
  readonly config: Pick<DiscordConfig, "apiBaseUrl">;
  readonly fetch: ChannelFetch;
  readonly reportFault: FaultReport;
}

/** 25 MB over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 110_000;
/** Where Discord keeps files ("Attachment Object"; its addresses are signed and end after a day). */
const FILE_HOSTS: ReadonlySet<string> = new Set(["cdn.discordapp.com", "media.discordapp.net"]);

const attachments = z.array(z.looseObject({ id: z.string(), url: z.string() })).default([]);
const messageSchema = z.looseObject({
  attachments,
  message_snapshots: z.array(z.looseObject({ message: z.looseObject({ attachments }) })).default([]),
});

/** Files of messages: the message is asked for anew, since it alone has an address that is still good. */
export function createFileDownloader({ api, config, fetch, reportFault }: FileDownloaderOptions): FilesAbility {
  const isFileHost = (url: URL): boolean =>
    isPlatform(config) ? isPlatformHost(url) : isOwnHost(url, config.apiBaseUrl);
  return {
    async download(file, { limitBytes, signal }) {
      const attempt = `Fetching the file ${JSON.stringify(file.name ?? file.id)} from Discord`;
      const url = await findUrl(api, file, attempt);
      if (!isFileHost(url)) throw refuse(attempt, "its address is on no host where Discord keeps files");
      const request = { isStreamed: true, limitBytes, signal, timeoutMs: DOWNLOAD_TIMEOUT_MS };
      const { ok, status, body } = await fetch(url.href, request).catch((error: unknown) => {
        throw reportFault(attempt, error);
      });
      if (ok && body) return body;
      await body?.cancel();
      if (status >= 500) throw new ChannelError("definite", `${attempt}: refused with ${status}; try again later`);
      throw refuse(attempt, `refused with ${status}`);
    },
  };
}

/** By `https` and a name alone: whoever answers there shows Discord's certificate, wherever the name leads. */
function isPlatformHost({ protocol, hostname, port }: URL): boolean {
  return protocol === "https:" && port === "" && FILE_HOSTS.has(hostname);
}

/** A server that stands in for Discord serves its files, too. */
function isOwnHost(url: URL, apiBaseUrl: string): boolean {
  return /^https?:$/.test(url.protocol) && url.hostname === new URL(apiBaseUrl).hostname;
}

async function findUrl(api: Pick<DiscordApi, "call">, file: AttachmentReference, attempt: string): Promise<URL> {
  const [channelId = "", messageId = "", attachmentId = ""] = file.id.split("/");
  if (![channelId, messageId, attachmentId].every(isSnowflake)) throw refuse(attempt, "its reference is none");
  const context = { needs: ["View Channel", "Read Message History"] };
  const answer = await api.call({
    method: "get",
    route: `/channels/${channelId}/messages/${messageId}`,
    attempt,
    context,
  });
  const read = messageSchema.safeParse(answer);
  const all = read.success
    ? [...read.data.attachments, ...read.data.message_snapshots.flatMap(({ message }) => message.attachments)]
    : [];
  const url = URL.parse(all.find(({ id }) => id === attachmentId)?.url ?? "");
  if (url === null) throw refuse(attempt, "its message holds it no more");
  return url;
}

function refuse(attempt: string, what: string): ChannelError {
  return new ChannelError("permanent", `${attempt}: ${what}; ask for it to be sent again`);
}
