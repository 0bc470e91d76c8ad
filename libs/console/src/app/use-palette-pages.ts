import type { SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';

import { usePlace, useRights } from './use-place.js';

/** Every page that the person has. */
export function usePalettePages(): SpotlightActionData[] {
  const place = usePlace();
  const navigate = useNavigate();
  const { administers, edits } = useRights();
  const page = (label: string, path: string, shown = true): SpotlightActionData[] =>
    shown
      ? [
          {
            id: path || 'home',
            label,
            onClick: () => void navigate({ to: `/w/$workspace/$environment/${path}`, params: place }),
          },
        ]
      : [];
  return [
    ...page('Home', '', edits),
    ...page('Scripts', 'scripts'),
    ...page('Runs', 'runs'),
    ...page('Schedules', 'schedules', edits),
    ...page('Errors', 'errors', edits),
    ...page('Insights', 'insights', edits),
    ...page('Approvals', 'approvals', edits),
    ...page('Agents', 'agents', edits),
    ...page('Connect an agent', 'connect-agent', edits),
    ...page('Files', 'files'),
    ...page('Webhooks', 'webhooks', administers),
    ...page('Event types', 'webhooks/event-types', administers),
    ...page('Settings', 'settings', edits),
    ...page('Secrets', 'settings/secrets', edits),
    ...page('Members and invitations', 'settings/members', edits),
    ...page('Teams', 'settings/teams', edits),
    ...page('Environments', 'settings/environments', edits),
    ...page('Queues', 'settings/queues', edits),
    ...page('Authorities', 'settings/authorities', edits),
    ...page('Alerts', 'settings/alerts', administers),
    ...page('API keys', 'settings/api-keys', administers),
    ...page('Usage', 'settings/usage', edits),
    ...page('Audit log', 'settings/audit', administers),
    {
      id: 'account',
      label: 'Account',
      description: 'Password, sessions and personal tokens',
      onClick: () => void navigate({ to: '/account' }),
    },
  ];
}
