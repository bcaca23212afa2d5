/** What stands before every command. */
export interface GlobalOptions {
  readonly config?: string;
}
