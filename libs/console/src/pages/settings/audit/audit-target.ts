import type { AuditEvent } from '@gatehouse/client/operations';
import type { LinkProps } from '@tanstack/react-router';

import type { Place } from '../../../api/place.js';

export interface NamedTarget {
  /** `webhook endpoint` */
  kind: string;
  /** null: the entry does not say it. */
  name: string | null;
  /** Where a page shows it, or shows those of its kind. */
  link: LinkProps | null;
}

type Details = Record<string, unknown>;
type TargetLink = (id: string, details: Details) => { to: string; params?: Record<string, string> } | null;

const WITHIN = '/w/$workspace/$environment';
const ofList =
  (page: string): TargetLink =>
  () => ({ to: `${WITHIN}/${page}` });
const ofScript =
  (page: string, parameter: string): TargetLink =>
  (id, { script }) =>
    typeof script === 'string'
      ? { to: `${WITHIN}/scripts/$slug/${page}/$${parameter}`, params: { slug: script, [parameter]: id } }
      : null;
const byName =
  (to: string, parameter: string, key: string): TargetLink =>
  (_, details) => {
    const name = textOf(details[key]);
    return name === null ? null : { to: `${WITHIN}/${to}`, params: { [parameter]: name } };
  };

const LINKS: Record<string, TargetLink> = {
  run: (runId) => ({ to: `${WITHIN}/runs/$runId`, params: { runId } }),
  script: byName('scripts/$slug', 'slug', 'slug'),
  script_version: (_, { slug, version }) =>
    typeof slug === 'string' && typeof version === 'number'
      ? { to: `${WITHIN}/scripts/$slug/versions/$number`, params: { slug, number: String(version) } }
      : null,
  schedule: ofScript('schedules', 'scheduleId'),
  trigger: ofScript('triggers', 'triggerId'),
  hook: ofScript('hooks', 'hookId'),
  secret: byName('settings/secrets/$name', 'name', 'name'),
  webhook_endpoint: (endpointId) => ({ to: `${WITHIN}/webhooks/$endpointId`, params: { endpointId } }),
  error: (errorId) => ({ to: `${WITHIN}/errors/$errorId`, params: { errorId } }),
  approval_request: (requestId) => ({ to: '/approvals/$requestId', params: { requestId } }),
  agent: byName('agents/$agent', 'agent', 'slug'),
  file: ofList('files'),
  member: ofList('settings/members'),
  invitation: ofList('settings/members'),
  team: ofList('settings/teams'),
  environment: ofList('settings/environments'),
  host_authorities: ofList('settings/authorities'),
  queue: ofList('settings/queues'),
  alert: ofList('settings/alerts'),
  api_key: ofList('settings/api-keys'),
};

/** What of an entry's details names what it is of: the first that is there. */
const NAMES = ['title', 'name', 'slug', 'email', 'host', 'script'];

/** What an entry is of, by its name of then, and where it is now. What was deleted has a page no more. */
export function targetOf({ action, target, details }: AuditEvent, place: Place): NamedTarget | null {
  if (!target) return null;
  const { type, id } = target;
  const isGone = /\.(?:deleted|removed|revoked|withdrawn)$/.test(action);
  const link = isGone ? null : (LINKS[type]?.(id, details) ?? null);
  return {
    kind: type.replaceAll('_', ' '),
    name: nameOf(type, details),
    link: link && ({ to: link.to, params: { ...place, ...link.params } } as LinkProps),
  };
}

function nameOf(type: string, details: Details): string | null {
  if (type === 'script_version') {
    const slug = textOf(details['slug']);
    return slug === null ? null : `${slug} ${String(details['version'] ?? '')}`.trim();
  }
  // Of a run, and of what an approval is of, that would be another thing's.
  if (type === 'run' || type === 'approval_request' || type === 'user') return null;
  for (const key of NAMES) {
    const name = textOf(details[key]);
    if (name !== null) return name;
  }
  return null;
}

/** A name, or the one that it was changed to. */
function textOf(value: unknown): string | null {
  if (typeof value === 'object' && value !== null && 'to' in value) return textOf(value.to);
  return typeof value === 'string' && value !== '' ? value : null;
}
