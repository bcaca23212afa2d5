/** A User of the Bot API. */
export interface WireUser {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly username?: string;
  readonly language_code?: string;
}

/** How a test describes a user. */
export interface UserSpec {
  readonly id: number;
  readonly firstName: string;
  readonly username?: string;
  readonly languageCode?: string;
}

/** A human account of the emulated Telegram. */
export interface Person {
  readonly profile: WireUser;
  isDeactivated: boolean;
}

export function buildPerson(spec: UserSpec): Person {
  const profile: WireUser = {
    id: spec.id,
    is_bot: false,
    first_name: spec.firstName,
    ...(spec.username !== undefined && { username: spec.username }),
    ...(spec.languageCode !== undefined && { language_code: spec.languageCode }),
  };
  return { profile, isDeactivated: false };
}
