/** What one look at one thing found. */
export interface Finding {
  /** What was looked at: `configuration`, `telegram/default`. */
  readonly subject: string;
  readonly level: "ok" | "warning" | "error";
  /** One line without a secret. */
  readonly text: string;
  /** What to do, with a warning or an error; a line for each step. */
  readonly cure?: string;
}

/** A look at one thing: it reports whatever it finds and throws only where it has a fault of its own. */
export type Check = () => Promise<readonly Finding[]> | readonly Finding[];

/** Runs a check; one that fails is a finding, too, and keeps no other from running. */
export async function runCheck(subject: string, check: Check): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [buildErrorFinding(subject, error)];
  }
}

/** An error of ours says at its end, behind a semicolon, what to do. */
export function buildErrorFinding(subject: string, error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  return { subject, ...splitCure(message, "error") };
}

/** An error that tells several things has a line for each, behind its first. */
export function listErrorFindings(subject: string, error: Error): readonly Finding[] {
  const [attempt = "", ...problems] = error.message.split("\n- ");
  if (problems.length === 0) return [buildErrorFinding(subject, error)];
  const place = attempt.replace(/: \d+ problems?$/, "");
  return problems.map((problem) => ({ subject, ...splitCure(`${place}: ${problem}`, "error") }));
}

/** An error that an earlier look has found already is named by that one, so that each cause is reported once. */
export function nameRepeats(found: readonly Finding[], earlier: readonly Finding[]): readonly Finding[] {
  return found.map((finding) => {
    const first = earlier.find(
      ({ level, text, cure }) => level === "error" && text === finding.text && cure === finding.cure,
    );
    if (first === undefined || finding.level !== "error") return finding;
    return { subject: finding.subject, level: "warning", text: `not checked: ${first.subject} has to be fixed first` };
  });
}

const END = "; ";
/** A quotation, which is somebody else's sentence, or the end of ours. */
const QUOTED_OR_END = /"(?:[^"\\]|\\.)*"|; /gs;

/** Parts a sentence of ours into what is wrong and what to do. */
export function splitCure(message: string, level: Finding["level"]): Pick<Finding, "level" | "text" | "cure"> {
  for (const { 0: found, index } of message.matchAll(QUOTED_OR_END)) {
    if (found === END) return { level, text: message.slice(0, index), cure: message.slice(index + END.length) };
  }
  return { level, text: message };
}
