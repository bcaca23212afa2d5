/** Where a link may lead. Telegram refuses the whole message for one address that it cannot read. */

/** Longer addresses are not clickable on every client, and nobody reads them. */
export const URL_LIMIT_CHARS = 2048;

/**
 * The address as Telegram takes it, `undefined` for all others: http and https with a dotted host and no credentials
 * (TDLib, `LinkManager::check_link`: "Wrong HTTP URL" for `http://localhost`), and tg. Not mailto, which Telegram turns
 * into `http://mailto:…`; an address of mail in the text it makes clickable by itself.
 */
export function parseLinkUrl(destination: string): string | undefined {
  const url = URL.parse(destination);
  if (url === null || url.username !== "" || url.password !== "" || url.href.length > URL_LIMIT_CHARS) return undefined;
  if (url.protocol === "tg:") return /^tg:\/\/[\w-]+(?:[/?#]|$)/.test(url.href) ? url.href : undefined;
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  return /^[\w-]+(?:\.[\w-]+)+$/.test(url.hostname) && url.port !== "0" ? url.href : undefined;
}
