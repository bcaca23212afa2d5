/** One answer of the tool `read_file`: the bytes from `from` to below `to` of a file of `of` bytes. */
export interface FilePage {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

/** Reads the first line, `[path: bytes F to T of N]`; what follows is the file's text as it stands. */
export function parseFilePage(answer: string): FilePage | undefined {
  const firstBreak = answer.indexOf("\n");
  if (firstBreak === -1) return undefined;
  const range = /: bytes (\d+) to (\d+) of (\d+)\]$/u.exec(answer.slice(0, firstBreak));
  if (range === null) return undefined;
  return {
    text: answer.slice(firstBreak + 1),
    from: Number(range[1]),
    to: Number(range[2]),
    of: Number(range[3]),
  };
}
