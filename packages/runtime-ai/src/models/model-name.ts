/** A model as a configuration names it: `provider/model`. The model's own name may hold slashes. */
export interface ModelName {
  readonly provider: string;
  /** Absent: whichever the provider lists first. */
  readonly model?: string;
}

export function parseModelName(text: string): ModelName {
  const slash = text.indexOf("/");
  if (slash === -1) return { provider: text };
  const model = text.slice(slash + 1);
  return { provider: text.slice(0, slash), ...(model === "" ? {} : { model }) };
}
