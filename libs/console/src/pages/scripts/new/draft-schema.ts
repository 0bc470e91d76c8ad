import { deriveInputSchema } from '../../../../../command/derive-input-schema.js';
import { parseCommand } from '../../../../../command/parse-command.js';
import type { DraftSettings } from './draft.js';

/** The schema that the test's form is made of, or why there is none yet. Null: no inputs. */
export function draftSchema({
  inputSchema,
  command,
}: Pick<DraftSettings, 'inputSchema' | 'command'>): Record<string, unknown> | null | Error {
  try {
    if (inputSchema.trim() !== '') return schemaOfText(inputSchema);
    // A command that is worked out from the files takes no inputs.
    return command.trim() === '' ? null : { ...deriveInputSchema(parseCommand(command.trim())) };
  } catch (error) {
    return error as Error;
  }
}

function schemaOfText(text: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error('It must be a JSON object.');
  }
  return parsed as Record<string, unknown>;
}
