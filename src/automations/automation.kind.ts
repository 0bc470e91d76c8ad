import type { Environment } from '../environments/index.js';
import type { AutomatedRunOrder } from '../runs/index.js';
import type { Script } from '../scripts/index.js';

/** A schedule or trigger: what of it decides whether its runs may start. */
export interface Automation {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  createdByUserId: string | null;
  byAgent: boolean;
}

/** What the rows of both kinds have. */
export interface AutomationRow extends Automation {
  name: string;
  inputs: Record<string, unknown>;
  enabled: boolean;
  disabledReason: string | null;
}

/** What the entities of both kinds are joined with. */
export interface AutomationRelations {
  environment?: Environment;
  script?: Script;
}

/** What differs between schedules and triggers where both are treated alike. */
export interface AutomationKind {
  /** As its audit entries and events call it. */
  name: 'schedule' | 'trigger';
  /** What agents may not do where they are not allowed. */
  forbidden: string;
  /** What a script is restored for. */
  purpose: string;
  origin: (id: string) => AutomatedRunOrder['origin'];
}
