import { type Role, ROLES } from '../core/access/index.js';
import { type ErrorDetail, InvalidRequest } from '../core/errors/index.js';
import { textProblem } from '../core/http/index.js';
import { checkSchema, isSchemaObject, walkSchema } from '../../libs/json-schema/index.js';
import type { SchemaChecks } from '../core/schema/index.js';
import type { ApprovalActionProvider } from './approval-action.js';

export const DAY_MINUTES = 1440;
const ACTION_ID = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

/** An action that is declared as it must be. */
export class RegisteredAction {
  /** The lowest role whose yes counts. */
  readonly leastRole: Role;

  constructor(readonly provider: ApprovalActionProvider) {
    this.leastRole = ROLES.find((role) => provider.approverRoles.includes(role))!;
  }

  /** Whether it hands out what outlives a session: only somebody who has just signed in approves it. */
  get needsConfirmation(): boolean {
    return this.provider.secret !== undefined || this.provider.givesAccess === true;
  }

  /**
   * A copy of the input with defaults filled in.
   *
   * @throws InvalidRequest whose details name the places, such as `input.email`
   */
  async validInput(
    input: Record<string, unknown>,
    checks: SchemaChecks,
    workspaceId: string,
  ): Promise<Record<string, unknown>> {
    const checked = await checks.value(this.provider.inputSchema, input, 'input', { workspaceId });
    const details = [...checked.details, ...textProblems(checked.value, 'input')];
    if (details.length === 0) return checked.value;
    const { path, message } = details[0]!;
    throw new InvalidRequest(`${path}: ${message}`, details);
  }
}

/** @throws Error where two have one id */
export function registryOf(providers: Iterable<ApprovalActionProvider>): Map<string, RegisteredAction> {
  const actions = new Map<string, RegisteredAction>();
  for (const provider of new Set(providers)) {
    if (actions.has(provider.id)) throw new Error(`Two approval actions have the id "${provider.id}".`);
    actions.set(provider.id, new RegisteredAction(provider));
  }
  return new Map([...actions].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** @throws Error saying what is wrong with the declaration */
export function assertDeclared(provider: ApprovalActionProvider): void {
  const problem = problemOf(provider);
  if (problem !== null) throw new Error(`The approval action "${provider.id}" ${problem}.`);
}

function problemOf({
  id,
  title,
  approverRoles,
  lifetimeMinutes = DAY_MINUTES,
  inputSchema,
}: ApprovalActionProvider): string | null {
  if (!ACTION_ID.test(id)) return 'needs an id of dotted lower-case words';
  if (typeof title !== 'string' || title.trim() === '') return 'needs a title';
  if (!Array.isArray(approverRoles)) return 'needs approverRoles';
  const least = ROLES.findIndex((role) => approverRoles.includes(role));
  if (least < 1 || ROLES.slice(least).some((role) => !approverRoles.includes(role))) {
    return 'needs approverRoles from owner downwards, without guest and without a gap';
  }
  if (!Number.isInteger(lifetimeMinutes) || lifetimeMinutes < 1 || lifetimeMinutes > DAY_MINUTES)
    return `needs lifetimeMinutes from 1 to ${DAY_MINUTES}`;
  try {
    checkSchema(inputSchema, 'inputSchema');
  } catch (error) {
    return `has no valid inputSchema: ${(error as Error).message}`;
  }
  const open = walkSchema(inputSchema).find(
    ({ schema, steps }) =>
      (steps.length === 0 || isSchemaObject(schema['properties'])) &&
      schema['additionalProperties'] !== false,
  );
  return open
    ? `has an open inputSchema: ${['inputSchema', ...open.steps].join('.')} needs additionalProperties: false`
    : null;
}

/** Whatever an action's schema says, what a person is to read and approve holds nothing that cannot be seen. */
function textProblems(value: unknown, path: string): ErrorDetail[] {
  if (typeof value === 'string') {
    const message = textProblem(value);
    return message === null ? [] : [{ path, message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textProblems(item, `${path}.${name}`));
}
