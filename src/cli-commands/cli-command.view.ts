import type { CliParameter } from './cli-command.js';
import type { CliCommandDto, CliParameterDto } from './cli-command.dto.js';
import type { KnownCommand } from './cli-commands.js';

export function cliCommandView({ group, command, route: { method, path } }: KnownCommand): CliCommandDto {
  const { name, summary, columns = null, list = false } = command;
  return {
    group,
    name,
    summary,
    method,
    path,
    arguments: (command.arguments ?? []).map((one) => parameterView(one, true)),
    options: (command.options ?? []).map((one) => parameterView(one, false)),
    fields: { ...command.fields },
    columns: columns && [...columns],
    list,
  };
}

function parameterView(
  { name, description, type = 'string', choices, required }: CliParameter,
  byDefault: boolean,
): CliParameterDto {
  return { name, description, type, choices: choices ? [...choices] : null, required: required ?? byDefault };
}
