/** The kinds of options by their numbers (Application Command Option Type). */
export const OPTION_TYPES = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
} as const;

export interface CommandChoice {
  readonly name: string;
  readonly value: string | number;
}

export interface CommandOption {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required?: boolean | undefined;
  readonly autocomplete?: boolean | undefined;
  readonly choices?: readonly CommandChoice[] | undefined;
  readonly min_value?: number | undefined;
  readonly max_value?: number | undefined;
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly options?: readonly CommandOption[] | undefined;
}

/** A command as its application registered it; what the emulator does not look at stands in `rest`. */
export interface ApplicationCommand {
  readonly id: string;
  readonly version: string;
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
  /** Undefined for a global one. */
  readonly guildId: string | undefined;
  readonly rest: Readonly<Record<string, unknown>>;
}
