import { roleReaches } from '../../core/access/index.js';
import type { AutomatedRunOrder } from './automated-run-order.js';
import type { OrderCircumstances } from './automated-runs.repository.js';

/** Why a schedule or trigger will not start runs any more, or null. In words for its `disabledReason`. */
export function refusalOf(
  { byAgent, createdByUserId }: Pick<AutomatedRunOrder, 'byAgent' | 'createdByUserId'>,
  now: OrderCircumstances,
): string | null {
  if (now.gone) return 'its environment is gone';
  if (now.status === 'archived') return `the script ${now.slug} is archived`;
  if (now.versionId === null) return `the script ${now.slug} has no published version`;
  if (now.role === null) return 'its creator is not a member of the workspace any more';
  if (createdByUserId !== null && !roleReaches(now.role, 'member')) {
    return 'its creator is a guest now, who may not have schedules, triggers or hooks';
  }
  if (!now.visible) return `its creator has no access to the script ${now.slug} any more`;
  if (byAgent && !now.agentsAllowed) return `agents may not run scripts in ${now.environment} any more`;
  return null;
}
