import type { AcpAgentName, AcpProfile } from "@banyan/plugin-sdk";

/** A program that speaks the Agent Client Protocol, and what it may do. */
export interface AcpInput {
  /** One that is known by name, or a command. A command with a path is relative to the file; it is never given to a shell. */
  readonly agent?:
    | AcpAgentName
    | { readonly command: string; readonly args?: readonly string[] | undefined }
    | undefined;
  /**
   * What becomes of its requests for permission. `ask`: the person it works for decides each. `chat-safe`: all are denied.
   * Default: `ask` in direct chats with people who were let in; anywhere else it does not start without one.
   */
  readonly profile?: AcpProfile | undefined;
  /** The mode that its sessions are set to, by its own name. Default: the one that is known to fit the profile. */
  readonly mode?: string | undefined;
  /** Names of environment variables that it is given beside those that programs need anyway. */
  readonly env?: readonly string[] | undefined;
}
