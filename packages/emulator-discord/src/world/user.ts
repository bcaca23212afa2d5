import type { APIUser } from "discord-api-types/v10";

/** A plain number, which the enumerations of flags take where the literal 0 is none of them. */
export const NO_FLAGS: number = 0;

/** How a test describes a person. */
export interface UserSpec {
  /** A snowflake: digits only. */
  readonly id: string;
  readonly username: string;
  readonly globalName?: string;
}

/** A human account of the emulated Discord. */
export interface Person {
  readonly profile: APIUser;
  /** Whether messages of bots are let in; if not, they are refused with 50007 (D33). */
  takesDms: boolean;
}

export function buildPerson({ id, username, globalName }: UserSpec): Person {
  return { profile: buildUser(id, username, "0", globalName), takesDms: true };
}

/** A user of the API, with nothing but its names. */
export function buildUser(id: string, username: string, discriminator: string, globalName?: string): APIUser {
  return {
    id,
    username,
    discriminator,
    global_name: globalName ?? null,
    avatar: null,
    public_flags: NO_FLAGS,
    flags: NO_FLAGS,
    primary_guild: null,
  };
}
