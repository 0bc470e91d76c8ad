import { pagesOfList } from '../api/invalidate-operations.js';
import type { Stale } from '../api/operations.js';
import { type EventDomain, domainOf } from './event-domains.js';

/** A run changes what the list says of its script, but not which scripts there are to choose from. */
const SCRIPTS = pagesOfList('scriptsList');

/** What the events of each domain make stale. */
export const BY_DOMAIN: Record<EventDomain, Stale[]> = {
  run: ['runsList', 'runsGet', SCRIPTS, 'scriptsDetail', 'scriptsActivity', 'filesList', 'usageGet'],
  approval: ['approvalsList', 'approvalsGet', 'runsGet', 'runsList', 'scriptsDetail'],
  script: ['scriptsList', 'scriptsDetail', 'versionsList', 'versionsFind', 'secretsUses'],
  schedule: ['schedulesList', 'schedulesListOfScript', 'schedulesGet', 'scriptsDetail'],
  trigger: ['triggersList', 'triggersListOfScript', 'triggersGet', 'scriptsDetail'],
  hook: ['hooksList', 'hooksListOfScript', 'hooksGet', 'hooksListReceipts'],
  error: ['errorsList', 'errorsGet'],
  webhook_endpoint: ['endpointsList', 'endpointsGet', 'deliveriesList'],
  agent: ['agentsList', 'agentsGet'],
  secret: ['secretsList', 'secretsGet', 'secretsUses'],
  environment: ['environmentsList', 'environmentsGet'],
  host_authorities: ['hostAuthoritiesList'],
  queue: ['queuesList', 'queuesGet', 'runsGet'],
  'workspace.member': ['membersList', 'invitationsList', 'teamsList', 'teamsGet'],
  'workspace.invitation': ['invitationsList'],
};

/** What the service counts some seconds after an event of a domain. */
const COUNTED_AFTER: Partial<Record<EventDomain, Stale[]>> = {
  run: ['runStatisticsRead', 'errorsList', 'errorsGet'],
};

/** Whatever changes is in the audit log, and is sent to endpoints. */
const ALWAYS: Stale[] = ['auditList', 'deliveriesList'];

/** What is sent of an event has an outcome some seconds later. */
const SENT: Stale[] = ['deliveriesList', 'deliveriesAttempts', 'deliveriesStatistics'];

export function staleAfter(eventType: string): Set<Stale> {
  const domain = domainOf(eventType);
  return new Set([...(domain === null ? [] : BY_DOMAIN[domain]), ...ALWAYS]);
}

export function countedAfter(eventType: string): readonly Stale[] {
  const domain = domainOf(eventType);
  return [...((domain === null ? undefined : COUNTED_AFTER[domain]) ?? []), ...SENT];
}
