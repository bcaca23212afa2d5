/** At most so many characters, the last one an ellipsis where something was left out. */
export function shortenText(text: string, limitChars: number): string {
  const characters = [...text];
  return characters.length <= limitChars ? text : `${characters.slice(0, limitChars - 1).join("")}…`;
}

/** An id as a listing shortened it and somebody pasted it. */
export function cutEllipsis(id: string): string {
  return id.trim().replace(/…$/, "");
}
