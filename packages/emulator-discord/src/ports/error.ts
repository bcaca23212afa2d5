/** Every failure of the emulator towards a test or a bench; what a bot is refused is an answer, not one of these. */
export const EMULATOR_ERROR_CODES = {
  heard_twice: "a person received a message more than once",
  not_heard: "a person waited for a message that did not come",
  not_called: "a test waited for calls that did not come",
  not_reached: "a test waited for a call to meet a fault, and none did",
  not_acknowledged: "a person waited for the answer to an interaction, and none came",
  unknown_bot: "no bot, or more than one, answers to the description",
  unknown_user: "a person was not registered before acting",
  unknown_guild: "no guild has that id",
  unknown_channel: "no channel and no thread has that id",
  unknown_message: "the channel has no such message, or it is not that person's",
  unknown_command: "the bot has not registered such a command",
  unknown_fault: "no fault has that id",
  forbidden: "a person did what its place and its rights do not allow",
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
