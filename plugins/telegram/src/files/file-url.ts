import { ChannelError } from "@banyan/plugin-sdk";
import type { TelegramConfig } from "../telegram-config.ts";

const NOWHERE = "Fetching a file from Telegram: it was given";

/**
 * Where the file of a getFile is fetched ("File", core.telegram.org/bots/api). It holds the token: never say it. The path
 * is the server's word, so what could lead to another call of the Bot API is refused.
 */
export function buildFileUrl(
  { apiBaseUrl, token }: Pick<TelegramConfig, "token" | "apiBaseUrl">,
  path: string | undefined,
): string {
  if (path === undefined || path === "") {
    throw new ChannelError("permanent", `${NOWHERE} no path; ask for the file to be sent again`);
  }
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) {
    const advice = "run the Bot API server without --local, so that it serves files";
    throw new ChannelError("permanent", `${NOWHERE} a path on the server's own disk; ${advice}`);
  }
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new ChannelError("permanent", `${NOWHERE} a path that leads elsewhere; check apiBaseUrl`);
  }
  return `${apiBaseUrl}/file/bot${token}/${segments.map(encodeURIComponent).join("/")}`;
}
