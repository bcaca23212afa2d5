/** The part of the index of attacks that is about code that the host runs and where it is cached. */
export const HOST_ATTACKS: readonly (readonly [attack: number, ...titles: string[]])[] = [
  [
    33,
    "%s is found before the file exists",
    "a computed name makes the folder at its beginning the host's",
    "names of a package's own tables lead to their files",
    "a linked package that a plugin imports is the host's as a whole, with what it imports outside of it",
    "where a link leads, the file is the host's as well, also before it exists",
    "what a file imports is searched again when the file has changed",
    "the program of a foreign agent is the host's, by its path, its arguments or PATH",
    "what decides which code the next start runs is the host's, in the folder of the configuration and above it",
    "Banyan itself is the host's, from source with its packages and what is installed for them, and so is Node",
  ],
  [
    33,
    "a part of the gateway is found in a workspace: %s",
    "a link hides no part of the gateway, whether it leads in, out or to the workspace",
    "code of the host that comes while a person thinks about a program keeps it from running",
  ],
  [
    33,
    "doctor names each agent whose programs are refused, and the cure",
    "what init writes is a layout in which programs may run",
  ],
  [
    33,
    "an agent overwrites no code that the host runs: neither a plugin nor anything that it imports, also not yet",
    "no program runs in a workspace that holds code of the host, and the refusal says what helps",
  ],
  [
    36,
    "a compile cache that %s is not used",
    "a compile cache of another user is not used",
    "the program keeps its compile cache below the user's own cache folder, in no shared one",
    "where the folder is open to others, the program runs without a compile cache",
  ],
];
