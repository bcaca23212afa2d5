/** Where each row of the fault table is shown, or why it cannot be provoked. */
export interface FaultRow {
  /** File and title, as the title stands in the file; a table's title holds a placeholder. */
  readonly shown?: readonly (readonly [file: string, title: string])[];
  /** Why the channel never meets it, where that is so; what is shown then is only how it would be told. */
  readonly never?: string;
}
