import { log, password, spinner, text } from "@clack/prompts";
import { type AskOptions, answered, streams } from "./ask-setup.ts";
import { buildModelSetup, findModelInEnvironment, listChoices, type ModelSetup } from "./model-setup.ts";

const QUESTION =
  "A language model for your agent: a key of OpenAI or Anthropic, or the address of a server such as http://127.0.0.1:11434/v1";

type Provider = Omit<ModelSetup, "model">;

/** Asks which model `main` is to be; `undefined`: none. A key or an address that is refused is asked for again. */
export async function askModel(options: AskOptions): Promise<ModelSetup | undefined> {
  const found = findModelInEnvironment(options.env);
  if (found !== undefined) {
    log.info(`${found.variables.map(({ variable }) => variable).join(" and ")}: set, and used`, streams(options));
    return askName(found, (await findChoices(found, options)) ?? [], options);
  }
  const message = `${QUESTION} (Enter: ${options.isChange ? "no change" : "the built-in program"})`;
  for (;;) {
    const given = answered(await password({ message, ...streams(options) })).trim();
    if (given === "") return undefined;
    const provider = /^https?:/u.test(given) ? await askServerKey(given, options) : buildModelSetup({ key: given });
    const choices = await findChoices(provider, options);
    if (choices !== undefined) return askName(provider, choices, options);
  }
}

async function askServerKey(url: string, options: AskOptions): Promise<Provider> {
  const key = answered(await password({ message: "Its API key (Enter: none)", ...streams(options) })).trim();
  return buildModelSetup({ url, ...(key === "" ? {} : { key }) });
}

/** `undefined`: it was refused, and that was said. */
async function findChoices(provider: Provider, options: AskOptions): Promise<readonly string[] | undefined> {
  const progress = spinner(streams(options));
  progress.start("asking for the models");
  try {
    const choices = await listChoices(provider, options.isChecked);
    progress.stop(choices.length === 0 ? "no models are listed" : `models: ${choices.slice(0, 8).join(", ")}`);
    return choices;
  } catch (error) {
    progress.error(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

async function askName(provider: Provider, choices: readonly string[], options: AskOptions): Promise<ModelSetup> {
  const [usual] = choices;
  const given = answered(
    await text({
      message: usual === undefined ? "The model's name" : `The model's name (Enter: ${usual})`,
      validate: (value) => ((value ?? "").trim() === "" && usual === undefined ? "It needs one" : undefined),
      ...streams(options),
    }),
  ).trim();
  return { ...provider, model: `${provider.provider}/${given === "" ? usual : given}` };
}
