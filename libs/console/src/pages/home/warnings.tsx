import type { SchedulePage } from '@gatehouse/client/operations';
import { endpointsListOptions, usageGetOptions } from '@gatehouse/client/react-query';
import { Alert, Anchor, List } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { usePlace, useRights } from '../../app/use-place.js';
import { counted } from '../../kit/counted.js';
import { ScheduleLink } from '../scripts/schedules/schedule-link.js';

const ENDPOINTS = 100;

/** What has stopped, or will soon, and stays so until somebody looks after it. */
export function Warnings({ schedules }: { schedules: SchedulePage | undefined }) {
  const place = usePlace();
  const { administers } = useRights();
  const usage = useQuery(usageGetOptions());
  const endpoints = useQuery({
    ...endpointsListOptions({ query: { limit: ENDPOINTS } }),
    enabled: administers,
  });
  const stopped = endpoints.data?.items.filter(({ enabled }) => !enabled) ?? [];
  const switchedOff = schedules?.items.filter(({ disabledReason }) => disabledReason !== null) ?? [];
  const notices = usage.data?.notices ?? [];
  if (stopped.length + switchedOff.length + notices.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Needs somebody"
      role="region"
      aria-label="Needs somebody"
    >
      <List size="sm" spacing={4} listStyleType="none">
        {stopped.map(({ id, url, consecutiveFailures }) => (
          <Item key={id}>
            Deliveries to{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/webhooks/$endpointId"
                  params={{ ...place, endpointId: id }}
                  {...props}
                />
              )}
            >
              {url}
            </Anchor>{' '}
            have stopped
            {consecutiveFailures > 0 && `, after ${counted(consecutiveFailures, 'failed attempt')} in a row`}.
          </Item>
        ))}
        {switchedOff.map((schedule) => (
          <Item key={schedule.id}>
            The schedule <ScheduleLink schedule={schedule} weight={500} /> was switched off:{' '}
            {schedule.disabledReason}.
          </Item>
        ))}
        {notices.map((notice) => (
          <Item key={notice}>
            {notice}{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => (
                <Link to="/w/$workspace/$environment/settings/usage" params={place} {...props} />
              )}
            >
              See the usage
            </Anchor>
          </Item>
        ))}
      </List>
    </Alert>
  );
}

const Item = ({ children }: { children: ReactNode }) => (
  <List.Item>
    <span className="user-text">{children}</span>
  </List.Item>
);
