/** The source as a chat shows it, markup and all: valid Unicode, plain line breaks, no empty lines around it. */
export function formatPlainText(source: string): string {
  return source.toWellFormed().replace(/\r\n?/g, "\n").replace(/^\n+/, "").trimEnd();
}
