import type { WorkspaceCaller } from '../core/access/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import type { ToolCaller } from './tool.js';

/** The schema of the argument by which a tool is told in which environment to act. */
export const ENVIRONMENT = {
  type: 'string',
  description: 'The environment to act in, by name. Without it, the one of this connection.',
};

/** @throws ProblemError as for a request that names that environment, at the argument */
export async function enterNamed(by: ToolCaller, environment: unknown): Promise<WorkspaceCaller> {
  if (typeof environment !== 'string') throw InvalidRequest.at('environment', 'must be a string');
  if (environment === by.caller.environment.name) return by.caller;
  try {
    return await by.enter(environment);
  } catch (error) {
    const atHeader = error instanceof InvalidRequest && error.details?.[0]?.path === 'x-environment';
    throw atHeader ? InvalidRequest.at('environment', error.details![0]!.message) : error;
  }
}
