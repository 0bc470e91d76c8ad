import { AuditTrail } from '../audit/index.js';
import type { Settings } from '../core/config/settings.js';
import { Database } from '../core/database/database.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { withApplication } from './application.js';
import { CommandRefused, STAFF } from './command-refused.js';

export async function setPlan(settings: Settings, slug: string, plan: string): Promise<string> {
  if (!settings.plans.has(plan)) {
    const known = [...settings.plans.keys()].join(', ');
    throw new CommandRefused(`GATEHOUSE_PLANS has no plan "${plan}". There are: ${known}.`);
  }
  return withApplication(settings, { alongside: true }, async (app) => {
    const workspace = await app.get(Database).transaction(async () => {
      const found = await app.get(UsageRepository).setPlan(slug, plan);
      if (!found) throw new CommandRefused(`There is no workspace "${slug}".`);
      const { id, previous } = found;
      const target = { type: 'workspace', id };
      await app
        .get(AuditTrail)
        .record(id, STAFF, 'workspace.plan_changed', target, { plan, previousPlan: previous });
      return found;
    });
    return `The workspace ${slug} has the plan ${plan} now; it had ${workspace.previous}.`;
  });
}
