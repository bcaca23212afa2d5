/** What a runtime asks of the person that its turn works for, before an agent does something. */

/** The host shows it with a button for each choice; only the person who is asked may answer. */
export interface PermissionRequest {
  /** Unique in the turn, and the same in a later attempt that asks the same again: it then has the same answer. */
  readonly id: string;
  /** What is to be done, in Markdown: the agent's words, never the host's. */
  readonly text: string;
  /** One to four, in the order in which they are shown. */
  readonly choices: readonly PermissionChoice[];
}

export interface PermissionChoice {
  /** What is answered with; `[a-z0-9_-]{1,32}`, unique in its question. */
  readonly id: string;
  readonly label: string;
  readonly isAllowing: boolean;
}

/**
 * `denied` where nobody chose: nobody could be asked, nobody answered in time, the turn was stopped, or the request cannot be
 * shown as a whole or is `unfit` otherwise. It is to be taken for a no.
 */
export type PermissionVerdict =
  | { readonly kind: "chosen"; readonly choice: PermissionChoice }
  | { readonly kind: "denied"; readonly why: "nobody" | "timeout" | "stopped" | "unfit" };
