import type { CallerKind } from '../core/access/index.js';

/**
 * Whether a schedule or trigger counts as an agent's after a change. It does once an agent has changed anything, until a
 * person changes what it does, which is all but its name. A change by an API key leaves it as it is.
 */
export function isAgentsAfter(byAgent: boolean, changer: CallerKind, changed: readonly string[]): boolean {
  if (changed.length === 0) return byAgent;
  if (changer === 'agent') return true;
  if (changer === 'api_key') return byAgent;
  return byAgent && changed.every((field) => field === 'name');
}

/** What the audit trail says of a change: nothing of what inputs and filters contain, which not all its readers may see. */
export function changeDetails<Field extends string>(
  before: Record<Field, unknown>,
  after: Record<Field, unknown>,
  changed: readonly Field[],
): Record<string, unknown> {
  return Object.fromEntries(
    changed.map((field) => [
      field,
      field === 'inputs' || field === 'filter' ? 'changed' : { from: before[field], to: after[field] },
    ]),
  );
}
