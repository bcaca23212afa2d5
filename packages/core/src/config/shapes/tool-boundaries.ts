export type PathPermission = "read" | "write" | "ask" | "deny";
export type CommandPermission = "allow" | "ask" | "deny";

/** Where an agent's tools end. What is absent sets none but the host's own. */
export interface ToolBoundaries {
  /** Patterns start from the workspace. */
  readonly paths?: PathRules | undefined;
  /** Patterns are the first words of a command. */
  readonly commands?: CommandRules | undefined;
  /** The longest that a call may take. */
  readonly timeoutSeconds?: number | undefined;
  /** Of one result. */
  readonly outputLimitBytes?: number | undefined;
  /** Of one reading. */
  readonly readLimitBytes?: number | undefined;
  /** Of one file that is written. */
  readonly writeLimitBytes?: number | undefined;
}

export interface PathRules {
  /** Absent: the whole workspace. */
  readonly allow?: readonly string[] | undefined;
  readonly block?: readonly string[] | undefined;
  readonly permissions?: Readonly<Record<string, PathPermission>> | undefined;
}

export interface CommandRules {
  /** Absent: all but the dangerous ones. */
  readonly allow?: readonly string[] | undefined;
  readonly block?: readonly string[] | undefined;
  readonly permissions?: Readonly<Record<string, CommandPermission>> | undefined;
}
