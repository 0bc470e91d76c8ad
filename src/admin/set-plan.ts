import type { Settings } from '../core/config/index.js';
import { WorkspacePlansService } from '../workspaces/index.js';
import { withApplication } from './application.js';
import { CommandRefused, STAFF } from './command-refused.js';

export async function setPlan(settings: Settings, slug: string, plan: string): Promise<string> {
  if (!settings.plans.has(plan)) {
    const known = [...settings.plans.keys()].join(', ');
    throw new CommandRefused(`GATEHOUSE_PLANS has no plan "${plan}". There are: ${known}.`);
  }
  return withApplication(settings, { alongside: true }, async (app) => {
    const previous = await app.get(WorkspacePlansService).setPlan(slug, plan, STAFF);
    if (previous === null) throw new CommandRefused(`There is no workspace "${slug}".`);
    return `The workspace ${slug} has the plan ${plan} now; it had ${previous}.`;
  });
}
