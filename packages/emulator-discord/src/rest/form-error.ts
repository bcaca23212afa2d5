import type { core } from "zod";

/** Discord's tree of complaints: `_errors` under the path to the field. */
export interface FormErrors {
  readonly [field: string]: FormErrors | readonly FieldError[];
}

export interface FieldError {
  readonly code: string;
  readonly message: string;
}

type Issue = core.$ZodIssue;

/** The tree for what a schema complains of. A custom issue brings its code in `params`. */
export function buildFormErrors(issues: readonly Issue[]): FormErrors {
  return issues.reduce<FormErrors>((tree, issue) => addError(tree, issue.path.map(String), nameError(issue)), {});
}

/** The tree with one complaint, for what no schema can see. */
export function buildFieldError(path: readonly string[], code: string, message: string): FormErrors {
  return addError({}, path, { code, message });
}

function addError(tree: FormErrors, path: readonly string[], error: FieldError): FormErrors {
  const [head, ...rest] = path;
  if (head === undefined) {
    const known = tree._errors;
    return { ...tree, _errors: [...(isList(known) ? known : []), error] };
  }
  const below = tree[head];
  return { ...tree, [head]: addError(below === undefined || isList(below) ? {} : below, rest, error) };
}

function isList(value: FormErrors | readonly FieldError[] | undefined): value is readonly FieldError[] {
  return Array.isArray(value);
}

function nameError(issue: Issue): FieldError {
  switch (issue.code) {
    case "too_big":
      return issue.origin === "string"
        ? { code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${issue.maximum} or fewer in length.` }
        : { code: sizeCode(issue.origin), message: `Must be ${issue.maximum} or fewer.` };
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? { code: "BASE_TYPE_MIN_LENGTH", message: `Must be ${issue.minimum} or more in length.` }
        : { code: "NUMBER_TYPE_MIN", message: `Value should be greater than or equal to ${issue.minimum}.` };
    case "invalid_value":
      return { code: "BASE_TYPE_CHOICES", message: `Value must be one of {${issue.values.map(String).join(", ")}}.` };
    case "unrecognized_keys":
      // Discord lets these pass; here they are a caller's slip of the pen.
      return { code: "EMULATOR_UNKNOWN_KEY", message: `Undocumented: ${issue.keys.join(", ")}.` };
    case "custom":
      return { code: String(issue.params?.code ?? "BASE_TYPE_INVALID"), message: issue.message };
    case "invalid_type":
      return issue.input === undefined && !issue.message.includes("received")
        ? { code: "BASE_TYPE_REQUIRED", message: "This field is required" }
        : { code: "BASE_TYPE_INVALID", message: issue.message };
    default:
      return { code: "BASE_TYPE_INVALID", message: issue.message };
  }
}

function sizeCode(origin: string): string {
  return origin === "array" ? "BASE_TYPE_MAX_LENGTH" : "NUMBER_TYPE_MAX";
}
