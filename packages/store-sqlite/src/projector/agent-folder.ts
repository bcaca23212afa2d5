import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../database/private-file.ts";

const LONGEST_NAME_BYTES = 255;

/** One step of a path, which cannot climb. The core makes names that are; this guards against rows that it did not. */
function isFileName(name: string): boolean {
  if (name === "" || name === "." || name === "..") return false;
  return !/[/\\]/.test(name) && !name.includes("\0") && Buffer.byteLength(name) <= LONGEST_NAME_BYTES;
}

export interface AgentFolder {
  readonly sessionsJson: string;
  /** `undefined` for a name that could lead out of the folder. */
  findTranscript(file: string): string | undefined;
}

/** The places of the layout, made as they are needed, mode 0700. */
export class AgentFolders {
  readonly #targetDir: string;
  readonly #nameOf: (agentId: string) => Promise<string>;
  readonly #names = new Map<string, string>();
  readonly #folders = new Map<string, AgentFolder>();

  constructor(targetDir: string, nameOf: (agentId: string) => Promise<string>) {
    this.#targetDir = targetDir;
    this.#nameOf = nameOf;
  }

  /** Asks for the names of agents' folders; `open` knows them from here on. */
  async learn(agentIds: Iterable<string>): Promise<void> {
    for (const agentId of agentIds) {
      if (!this.#names.has(agentId)) this.#names.set(agentId, await this.#nameOf(agentId));
    }
  }

  /** `undefined` for an agent that was not learned or whose name could lead out of the layout. Throws what `mkdir` does, and for a symbolic link. */
  open(agentId: string): AgentFolder | undefined {
    const known = this.#folders.get(agentId);
    if (known !== undefined) return known;
    const name = this.#names.get(agentId);
    if (name === undefined || !isFileName(name)) return undefined;
    const folder = this.#create(name);
    this.#folders.set(agentId, folder);
    return folder;
  }

  #create(name: string): AgentFolder {
    mkdirSync(this.#targetDir, { recursive: true, mode: 0o700 });
    const agents = join(this.#targetDir, "agents");
    const folder = join(agents, name);
    const sessions = join(folder, "sessions");
    for (const path of [agents, folder, sessions]) makePrivateFolder(path);
    return {
      sessionsJson: join(folder, "sessions.json"),
      findTranscript: (file) => (isFileName(file) ? join(sessions, file) : undefined),
    };
  }
}
