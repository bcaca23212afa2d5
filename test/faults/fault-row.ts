/** The tests that show one row of a platform's fault table, or why the row cannot be provoked. */
export interface FaultRow {
  /** Complete titles, as the test file has them; the title of a table of tests contains a placeholder. */
  readonly shown?: readonly string[];
  /** Why the channel never meets the fault. The tests in `shown` then only show how it would be reported. */
  readonly never?: string;
}
