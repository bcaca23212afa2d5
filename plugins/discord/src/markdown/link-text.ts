/** Where a link may lead. */

/** Longer addresses are not shown as a link, and where nobody can click them, such as a picture in the text itself, not at all. */
const URL_LIMIT_CHARS = 512;

/** The address as it can stand in a link's parentheses; `undefined` for all but http and https. */
export function parseLinkUrl(destination: string): string | undefined {
  const url = URL.parse(destination);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  const { href } = url;
  return href.length > URL_LIMIT_CHARS ? undefined : href.replaceAll("(", "%28").replaceAll(")", "%29");
}

/**
 * The label as a link. Discord shows no link whose label is an address itself, for it may lie; such a one shows both. What
 * is no address of the web stands behind its label.
 */
export function formatLink(label: string, destination: string): string {
  const url = parseLinkUrl(destination);
  const text = label.trim();
  const shown = url ?? destination.replace(/^mailto:/i, "");
  if (text === "") return shown.length > URL_LIMIT_CHARS ? "" : shown;
  if (text === destination || text === url) return text;
  if (url !== undefined && !/:\/\//.test(text)) return `[${label.replaceAll("\n", " ")}](${url})`;
  return shown.length > URL_LIMIT_CHARS || text.includes(shown) ? label : `${label} (${shown})`;
}
