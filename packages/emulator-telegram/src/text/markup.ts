import type { Entity } from "./entity.ts";

/** What a parse mode makes of its source: the text as rendered and its entities, or why it cannot. */
export type Markup =
  | { readonly ok: true; readonly text: string; readonly entities: readonly Entity[] }
  | { readonly ok: false; readonly reason: string };

/**
 * The address of a link as the server stores it, undefined where it drops the link and keeps the words:
 * an address without a scheme is taken for a web address.
 */
export function formatLinkUrl(address: string): string | undefined {
  const trimmed = address.trim();
  if (/^(tg|ton|mailto|tel):/i.test(trimmed)) return trimmed;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" ? url.href : undefined;
}
