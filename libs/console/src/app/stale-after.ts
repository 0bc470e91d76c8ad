import { pagesOfList } from '../api/invalidate-operations.js';

/** A run changes what the list says of its script, but not which scripts there are to choose from. */
const SCRIPTS = pagesOfList('scriptsList');

/** Which of the client's queries an event makes stale, by the names of its operations. */
const BY_FAMILY: [RegExp, string[]][] = [
  [/^run\./, ['runsList', 'runsGet', SCRIPTS, 'scriptsDetail', 'scriptsActivity', 'filesList', 'usageGet']],
  [/^approval\./, ['approvalsList', 'approvalsGet', 'runsGet', 'runsList', 'scriptsDetail']],
  [/^script\./, ['scriptsList', 'scriptsDetail', 'versionsList', 'versionsFind']],
  [/^schedule\./, ['schedulesList', 'schedulesListOfScript', 'schedulesGet', 'scriptsDetail']],
  [/^trigger\./, ['triggersList', 'triggersListOfScript', 'triggersGet', 'scriptsDetail']],
  [/^webhook_endpoint\./, ['endpointsList', 'endpointsGet', 'deliveriesList']],
  [/^agent\./, ['agentsList', 'agentsGet']],
  [/^secret\./, ['secretsList', 'secretsGet', 'secretsUses']],
  [/^environment\./, ['environmentsList', 'environmentsGet']],
  [/^workspace\.member\./, ['membersList', 'invitationsList', 'teamsList', 'teamsGet']],
  [/^workspace\.invitation\./, ['invitationsList']],
];

export function staleAfter(eventType: string): Set<string> {
  return new Set([
    ...BY_FAMILY.flatMap(([family, names]) => (family.test(eventType) ? names : [])),
    'auditList',
  ]);
}
