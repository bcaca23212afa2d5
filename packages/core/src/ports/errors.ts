/** Every failure the core raises by itself, one line each: the code is what programs match on. */
export const ERROR_CODES = {
  invalid_segment: "an id from outside is blank, missing or not valid text",
  invalid_agent_id: "an agent id that nothing representable is left of",
  invalid_account_id: "an account id that is reserved or not representable",
  invalid_channel: "a channel id that is malformed or reserved",
  invalid_session_key: "a session key of the wrong form for the operation",
  invalid_identity_links: "identity links that contradict each other or name no channel",
  config_invalid: "the configuration has unknown, refused or malformed values",
  config_unreadable: "the configuration file is missing or cannot be loaded",
  state_dir_unusable: "the state directory cannot be created or written",
  store_conflict: "a record changed five times while it was being updated",
  store_failed: "the store can no longer commit",
  nothing_stored: "the state directory holds nothing yet",
  session_not_found: "no session answers to that key, id or address",
  run_not_found: "no run of a sub-agent answers to that number, id, key or name",
  delivery_not_found: "no delivery, or more than one, answers to that id",
  delivery_unchanged: "a delivery is under way or was sent, so it is left as it is",
  account_unchecked: "a platform refused an account's credentials, or did not answer",
  plugin_invalid: "a plugin's definition breaks the contract",
  plugin_unavailable: "a plugin named in the configuration cannot be loaded",
  runtime_unavailable: "an agent names a runtime that is not there",
  runtime_late: "a runtime does not open in time",
  too_few_files: "the process may open too few files",
  port_taken: "the server's port is in use",
  address_unusable: "the server cannot listen on that address",
  control_unavailable: "no gateway answers on the control socket",
  gateway_silent: "a gateway holds the state directory and does not respond",
  shared_dm_refused: "a DM scope would let several people share one conversation",
  session_tree_cycle: "the stored parents of a session lead back to itself",
  attachments_unwritable: "the files of a sub-agent cannot be written to its workspace",
  foreign_writers: "a linked person's session holds writing of somebody else",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * A failure of the core. The message says what was attempted, what was wrong and received, and what to do;
 * it never holds a secret.
 */
export class BanyanError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "BanyanError";
    this.code = code;
  }
}
