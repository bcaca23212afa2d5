/** Every failure of the emulator towards a test or a bench; what a bot is refused is an answer, not one of these. */
export const EMULATOR_ERROR_CODES = {
  heard_twice: "a user received a message more than once",
  not_heard: "a user waited for a message that did not come",
  not_called: "a test waited for calls that did not come",
  not_reached: "a test waited for a call to reach a gate, and none did",
  unknown_bot: "no bot, or more than one, answers to the description",
  unknown_user: "a user was not registered before acting",
  unknown_chat: "the user has no such chat",
  unknown_message: "the chat has no such message of that user",
  unknown_file: "no file has that id, or a message holds none",
  unknown_update: "the bot was never sent an update with that id, or has no webhook to send one to",
  not_delivered: "a test waited for deliveries to a webhook that did not come",
  unknown_fault: "no fault has that id",
  invalid_request: "a control request is malformed",
  limit_reached: "a limit of the emulator is exceeded, so it can no longer answer exactly",
  unreachable: "the emulator's control interface did not answer",
} as const;

export type EmulatorErrorCode = keyof typeof EMULATOR_ERROR_CODES;

export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;

  constructor(code: EmulatorErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "EmulatorError";
    this.code = code;
  }
}

export function isEmulatorErrorCode(value: unknown): value is EmulatorErrorCode {
  return typeof value === "string" && Object.hasOwn(EMULATOR_ERROR_CODES, value);
}
