import { formatPlainText } from "@banyan/core";

/** A text of several lines under its title, set off from what stands before it. */
export function formatRunText(title: string, text: string): readonly string[] {
  return [
    "",
    `  ${title}`,
    ...formatPlainText(text.trim())
      .split("\n")
      .map((line) => `    ${line}`.trimEnd()),
  ];
}
