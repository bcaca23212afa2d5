import { z } from "zod";
import type { CommandOption } from "../world/application-command.ts";

/** A command as a bot registers it. */
export interface CommandBody {
  readonly type?: number | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly options?: readonly CommandOption[] | undefined;
  readonly [field: string]: unknown;
}

/** Of one command, over all its names, descriptions and values (Application Commands, "Limits"). */
const ALL_LIMIT_CHARS = 8000;
const name = z
  .string()
  .regex(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u, "Command name is invalid")
  .refine((text) => text === text.toLowerCase(), "Command name is invalid");
const description = z.string().min(1).max(100);

const optionSchema: z.ZodType<CommandOption> = z.lazy(() =>
  z
    .looseObject({
      type: z.int().min(1).max(11),
      name,
      description,
      required: z.boolean().optional(),
      autocomplete: z.boolean().optional(),
      choices: z
        .array(z.looseObject({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) }))
        .max(25)
        .optional(),
      min_value: z.number().optional(),
      max_value: z.number().optional(),
      min_length: z.int().min(0).max(6000).optional(),
      max_length: z.int().min(1).max(6000).optional(),
      options: z.array(optionSchema).max(25).optional(),
    })
    .superRefine(({ options = [] }, context) => requireOrder(options, context)),
);

export const commandSchema: z.ZodType<CommandBody> = z
  .looseObject({
    type: z.int().min(1).max(4).optional(),
    name,
    description: description.optional(),
    options: z.array(optionSchema).max(25).optional(),
  })
  .superRefine((command, context) => {
    requireOrder(command.options ?? [], context);
    if ((command.type ?? 1) === 1 && command.description === undefined) {
      const message = "This field is required";
      context.addIssue({ code: "custom", path: ["description"], message, params: { code: "BASE_TYPE_REQUIRED" } });
    }
    if (countChars(command) <= ALL_LIMIT_CHARS) return;
    const message = `Command exceeds maximum size (${ALL_LIMIT_CHARS})`;
    context.addIssue({ code: "custom", message, params: { code: "APPLICATION_COMMAND_TOO_LARGE" } });
  });

/** A hundred of each kind in a place. */
export const commandsSchema: z.ZodType<CommandBody[]> = z.array(commandSchema).max(100);

/** Required options stand first, and each name once. */
function requireOrder(options: readonly CommandOption[], context: z.core.$RefinementCtx): void {
  const firstFree = options.findIndex(({ required }) => required !== true);
  if (firstFree !== -1 && options.slice(firstFree).some(({ required }) => required === true)) {
    const message = "Required options must be placed before non-required options";
    context.addIssue({ code: "custom", message, params: { code: "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID" } });
  }
  if (new Set(options.map((option) => option.name)).size === options.length) return;
  const message = "Option names must be unique";
  context.addIssue({ code: "custom", message, params: { code: "APPLICATION_COMMAND_OPTIONS_NAME_INVALID" } });
}

interface Measured {
  readonly name: string;
  readonly description?: string | undefined;
  readonly options?: readonly CommandOption[] | undefined;
  readonly choices?: CommandOption["choices"];
}

function countChars({ name: own, description: said = "", options = [], choices = [] }: Measured): number {
  const values = choices.reduce((sum, choice) => sum + choice.name.length + String(choice.value).length, 0);
  return options.reduce((sum, option) => sum + countChars(option), own.length + said.length + values);
}
