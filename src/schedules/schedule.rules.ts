import { type WorkspaceCaller } from '../core/access/caller.js';
import { Conflict, Forbidden, InvalidRequest, NotFound } from '../core/http/errors.js';
import { parseCommand } from '../scripts/command/parse-command.js';
import { renderCommand } from '../scripts/command/render-command.js';
import { validateInputs } from '../scripts/schema/validate-inputs.js';
import type { RunnableScript, VersionFacts } from '../scripts/script-catalog.js';

/** @throws Forbidden where a bound API key names an environment that is not its own */
export function assertMayName(caller: WorkspaceCaller, environment: string | undefined): void {
  if (!caller.bound || environment === undefined || environment === caller.environment.name) return;
  throw new Forbidden(`This API key is bound to the environment ${caller.environment.name}.`);
}

/** @throws Forbidden where agents are not allowed */
export function assertAgentsAllowed(environment: { name: string; agentsAllowed: boolean }): void {
  if (environment.agentsAllowed) return;
  throw new Forbidden(
    `Agents may not schedule scripts in the environment ${environment.name}, and this schedule counts as an agent's.`,
  );
}

/**
 * @throws NotFound where the script does not exist for the caller
 * @throws Conflict where it has no version to run
 */
export function assertRunnable(
  script: RunnableScript | null,
): asserts script is RunnableScript & VersionFacts {
  if (!script) throw new NotFound('script');
  if (script.status === 'archived') throw archived(script.slug);
  if (script.versionId === null) {
    throw new Conflict(`The script ${script.slug} has no published version to run. Publish one first.`);
  }
}

export function archived(slug: string): Conflict {
  return new Conflict(`The script ${slug} is archived. Restore and publish it to schedule it.`);
}

/** Thousands of schedules may be due at once, and each carries its inputs. */
const MAX_INPUT_BYTES = 65_536;

/** @throws InvalidRequest whose details name the inputs that the published version would not take */
export function checkConstantInputs(
  { inputSchema, command }: Pick<VersionFacts, 'inputSchema' | 'command'>,
  inputs: Record<string, unknown>,
): void {
  if (Buffer.byteLength(JSON.stringify(inputs)) > MAX_INPUT_BYTES) {
    throw InvalidRequest.at('inputs', `must be at most ${MAX_INPUT_BYTES / 1024} KiB of JSON`);
  }
  const { value, fileFields } = validateInputs(inputSchema, inputs);
  const file = fileFields[0];
  if (file) {
    throw InvalidRequest.at(
      `inputs.${file.field}`,
      'takes a file, which a schedule cannot give, since uploads expire',
    );
  }
  renderCommand(parseCommand(command), value);
}
