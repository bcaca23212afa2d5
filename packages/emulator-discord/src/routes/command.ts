import { type Answer, accept, type BotRoute, type Call, NOTHING, parseBody } from "../rest/call.ts";
import type { CommandBody } from "../rest/command-body.ts";
import { commandSchema, commandsSchema } from "../rest/command-body.ts";
import { Refusal, refuse } from "../rest/refusal.ts";
import type { ApplicationCommand } from "../world/application-command.ts";

/** The commands of the path's scope, global or of a guild, by name and kind. */
function getScope(call: Call): Map<string, ApplicationCommand> {
  if (call.path.application !== call.bot.id) {
    const message = "You are not authorized to perform this action on this application";
    throw new Refusal({ status: 403, code: 20012, message });
  }
  const { guild } = call.path;
  if (guild !== undefined && !call.bot.guildIds.has(guild)) throw refuse(50001);
  const scope = call.bot.commands.get(guild ?? "") ?? new Map<string, ApplicationCommand>();
  call.bot.commands.set(guild ?? "", scope);
  return scope;
}

function listCommands(call: Call): Answer {
  return accept([...getScope(call).values()].map((command) => buildCommand(call, command)));
}

/** Puts a list in place of all; a command that keeps its name keeps its id (Bulk Overwrite). */
function replaceCommands(call: Call): Answer {
  const scope = getScope(call);
  const bodies = parseBody(call, commandsSchema);
  const commands = bodies.map((body) => registerCommand(call, scope.get(formatKey(body)), body));
  scope.clear();
  for (const command of commands) scope.set(formatKey(command), command);
  call.world.changed.fire();
  return accept(commands.map((command) => buildCommand(call, command)));
}

function createCommand(call: Call): Answer {
  const scope = getScope(call);
  const body = parseBody(call, commandSchema);
  const known = scope.get(formatKey(body));
  const command = registerCommand(call, known, body);
  scope.set(formatKey(command), command);
  call.world.changed.fire();
  return accept(buildCommand(call, command), known === undefined ? 201 : 200);
}

function removeCommand(call: Call): Answer {
  const scope = getScope(call);
  const command = [...scope.values()].find(({ id }) => id === call.path.command);
  if (command === undefined) throw refuse(10063);
  scope.delete(formatKey(command));
  return NOTHING;
}

function registerCommand(call: Call, known: ApplicationCommand | undefined, body: CommandBody): ApplicationCommand {
  const { type = 1, name, description = "", options = [], ...rest } = body;
  const guildId = call.path.guild;
  const id = known?.id ?? call.world.nextId();
  return { id, version: call.world.nextId(), type, name, description, options, guildId, rest };
}

function formatKey({ type = 1, name }: Pick<CommandBody, "type" | "name">): string {
  return `${type}|${name}`;
}

function buildCommand(call: Call, command: ApplicationCommand): Readonly<Record<string, unknown>> {
  const { id, version, type, name, description, options, guildId, rest } = command;
  return {
    default_member_permissions: null,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    nsfw: false,
    ...rest,
    id,
    version,
    type,
    name,
    description,
    options,
    application_id: call.bot.id,
    ...(guildId !== undefined && { guild_id: guildId }),
  };
}

export const commandRoutes: readonly BotRoute[] = [
  { template: "GET /applications/:application/commands", run: listCommands },
  { template: "PUT /applications/:application/commands", run: replaceCommands },
  { template: "POST /applications/:application/commands", run: createCommand },
  { template: "DELETE /applications/:application/commands/:command", run: removeCommand },
  { template: "GET /applications/:application/guilds/:guild/commands", run: listCommands },
  { template: "PUT /applications/:application/guilds/:guild/commands", run: replaceCommands },
  { template: "POST /applications/:application/guilds/:guild/commands", run: createCommand },
  { template: "DELETE /applications/:application/guilds/:guild/commands/:command", run: removeCommand },
];
