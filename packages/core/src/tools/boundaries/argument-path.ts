/**
 * What in a program's arguments may be a path: whole words, what stands behind `=`, behind a short option, behind `@` or
 * `file://`. Only a guess at what the program will do with them: a program can open what no argument names.
 */
export function listArgumentPaths(args: readonly string[]): readonly string[] {
  return args.flatMap(listOfOne).filter((path) => path !== "" && !path.includes("\0"));
}

function listOfOne(arg: string): readonly string[] {
  const sign = arg.indexOf("=");
  const more = sign < 0 ? [] : listOfOne(arg.slice(sign + 1));
  if (arg.startsWith("--")) return more;
  if (arg.startsWith("-")) return [...more, ...(arg.length > 2 ? listOfOne(arg.slice(2)) : [])];
  if (arg.startsWith("@")) return [...more, ...listOfOne(arg.slice(1))];
  if (/^file:/i.test(arg)) return [...more, `/${arg.slice("file:".length).replace(/^\/+/, "")}`];
  return [...more, arg];
}
