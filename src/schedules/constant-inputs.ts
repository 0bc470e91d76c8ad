import { InvalidRequest } from '../core/errors/index.js';
import { PATIENCE, type SchemaChecks } from '../core/schema/index.js';
import type { VersionFacts } from '../scripts/index.js';

/** Thousands of schedules may be due at once, and each carries its inputs. */
const MAX_INPUT_BYTES = 65_536;

/** @throws InvalidRequest whose details name the inputs that the published version would not take */
export async function checkConstantInputs(
  checks: SchemaChecks,
  workspaceId: string,
  { inputSchema: schema, command }: Pick<VersionFacts, 'inputSchema' | 'command'>,
  inputs: Record<string, unknown>,
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(inputs)) > MAX_INPUT_BYTES) {
    throw InvalidRequest.at('inputs', `must be at most ${MAX_INPUT_BYTES / 1024} KiB of JSON`);
  }
  const patience = PATIENCE.transaction;
  const { fileFields } = await checks.inputs({ schema, command, inputs, workspaceId, patience });
  const file = fileFields[0];
  if (file) {
    throw InvalidRequest.at(
      `inputs.${file.field}`,
      'takes a file, which a schedule cannot give, since uploads expire',
    );
  }
}
