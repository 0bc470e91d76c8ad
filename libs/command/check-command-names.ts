import { InvalidInput } from '../invalid-input/index.js';
import { declaredProperties, type JsonSchema } from '../json-schema/index.js';
import { commandInputs, type CommandTemplate } from './command-template.js';

/**
 * Makes sure that every `{name}` of a command is an input that the schema declares.
 *
 * @throws InvalidInput at `command`, naming each unknown input with its position
 */
export function checkCommandNames(template: CommandTemplate, inputSchema: JsonSchema): void {
  const declared = declaredProperties(inputSchema);
  const unknown = commandInputs(template).filter((input) => !declared.has(input.name));
  if (unknown.length === 0) return;
  const details = unknown.map(({ name, position }) => ({
    path: 'command',
    message: `{${name}} is not a property of inputSchema, at character ${position} (a literal brace is written {{ or }})`,
  }));
  throw new InvalidInput(`command: ${details[0]!.message}`, details);
}
