import type { ConfigPath } from "../problems/config-path.ts";
import { type ConfigProblem, formatReceived } from "../problems/config-problem.ts";

/** Why a text is no stable id, and what to write instead. */
interface IdFault {
  readonly wrong: string;
  readonly cure: string;
}

const STABLE = "user names can change owners: write the platform's own id";

/** Judged in this order. Matrix ids begin with `@` too, but go on with `:` and their server. */
const FAULTS: readonly (readonly [form: RegExp, fault: IdFault])[] = [
  [/^@[^:]*$/, { wrong: "a user name, not an id", cure: STABLE }],
  [/^(https?:\/\/|t\.me\/)/i, { wrong: "a link, not an id", cure: STABLE }],
  [/^.+#\d{1,4}$/, { wrong: "a user name, not an id", cure: STABLE }],
  [/\s/, { wrong: "more than one word", cure: "write one id per entry of the list" }],
  [/,/, { wrong: "more than one id", cure: "write one id per entry of the list" }],
];

export interface IdRules {
  /** The platform's own form of such ids, where it is known. */
  readonly form: RegExp | undefined;
  /** The setting that lets everyone in. */
  readonly open?: string;
}

function findFault(id: string, { form, open = "no id" }: IdRules): IdFault | undefined {
  if (id === "*") return { wrong: "* is not an id", cure: `to allow everyone write ${open}` };
  const fault = FAULTS.find(([pattern]) => pattern.test(id))?.[1];
  if (fault !== undefined || form === undefined || form.test(id)) return fault;
  return { wrong: "not an id of this platform", cure: STABLE };
}

/** Checks an id of a sender, chat or guild, which may be written as a number. */
export function checkPlatformId(
  id: string | number,
  path: ConfigPath,
  rules: IdRules = { form: undefined },
): readonly ConfigProblem[] {
  // JSON and JavaScript have rounded a larger number already.
  if (typeof id === "number" && !Number.isSafeInteger(id)) {
    return [
      { path, wrong: "a number too large to be exact", received: "a rounded number", cure: "write the id in quotes" },
    ];
  }
  const fault = findFault(String(id).trim(), rules);
  return fault === undefined ? [] : [{ path, ...fault, received: formatReceived(id) }];
}
