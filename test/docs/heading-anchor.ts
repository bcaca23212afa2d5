/** The anchor that GitHub gives a heading: `` `kill -9`, and more `` → `kill--9-and-more`; a link leaves its text. */
export function formatAnchor(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
