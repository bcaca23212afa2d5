export type DemoCommand =
  | { readonly kind: "help" | "status" | "fail" }
  | { readonly kind: "calc"; readonly expression: string }
  | { readonly kind: "count-words"; readonly dir: string }
  | { readonly kind: "slow"; readonly seconds: number }
  | { readonly kind: "mistake"; readonly text: string }
  | { readonly kind: "other" };

/** Long enough to watch and to abort, short enough to forget. */
export const SLOW_LIMIT_SECONDS = 300;
/** Longer paths do not fit a line of the answer; it also keeps the patterns below cheap. */
const DIR_LIMIT_CHARS = 1000;

const PLAIN: ReadonlyMap<string, DemoCommand> = new Map<string, DemoCommand>([
  ["help", { kind: "help" }],
  ["status", { kind: "status" }],
  ["fail", { kind: "fail" }],
]);

/** Reads a message as one of the few sentences the demo agent knows. Upper and lower case are the same. */
export function parseDemoCommand(message: string): DemoCommand {
  const text = message.trim();
  const plain = PLAIN.get(text.toLowerCase().replace(/[.!?]$/u, ""));
  if (plain !== undefined) return plain;
  const calc = /^calc(?:\s+(.*))?$/isu.exec(text);
  if (calc !== null) return { kind: "calc", expression: (calc[1] ?? "").trim() };
  const count = /^count\s+words(?:\s+in\s+(.*))?$/isu.exec(text);
  if (count !== null) return countIn((count[1] ?? "").trim());
  const slow = /^slow(?:\s+(.*))?$/isu.exec(text);
  if (slow !== null) return slowFor((slow[1] ?? "").trim());
  return { kind: "other" };
}

/** A directory without quotes and without slashes at its end; none is the whole workspace. */
function countIn(text: string): DemoCommand {
  if (text.length > DIR_LIMIT_CHARS) {
    return { kind: "mistake", text: `count words takes a directory of up to ${DIR_LIMIT_CHARS} characters.` };
  }
  const unquoted = text.replace(/^(["'`])(.*)\1$/su, "$2");
  const dir = unquoted.startsWith("/") ? unquoted : unquoted.replace(/\/+$/u, "");
  return { kind: "count-words", dir: dir === "" ? "." : dir };
}

function slowFor(text: string): DemoCommand {
  const seconds = /^\d{1,6}$/u.test(text) ? Number(text) : Number.NaN;
  if (seconds >= 1 && seconds <= SLOW_LIMIT_SECONDS) return { kind: "slow", seconds };
  return { kind: "mistake", text: `slow takes whole seconds from 1 to ${SLOW_LIMIT_SECONDS}; try slow 10.` };
}
