import type { WebhookEndpoint } from '@gatehouse/client/operations';
import { endpointsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { usePlace, useRights } from '../../app/use-place.js';
import { counted } from '../../kit/counted.js';
import { Empty } from '../../kit/empty.js';
import { type Column, Listing } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { Page } from '../../kit/page.js';
import { Status } from '../../kit/status.js';
import { usePages } from '../../kit/use-pages.js';
import { DayStrip } from './deliveries/day-strip.js';
import { LastStatus } from './last-status.js';
import { NewEndpoint } from './new-endpoint.js';

export function EndpointListPage() {
  const place = usePlace();
  const { administers } = useRights();
  const [isMaking, setMaking] = useState(false);
  const query = usePages({
    ...endpointsListInfiniteOptions({ query: { limit: 25 } }),
    enabled: administers,
  });
  const columns = useMemo(
    (): Column<WebhookEndpoint>[] => [
      {
        id: 'endpoint',
        header: 'Endpoint',
        cell: ({ id, url, description }) => (
          <>
            <Anchor
              fw={600}
              size="sm"
              className="user-text"
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/webhooks/$endpointId"
                  params={{ ...place, endpointId: id }}
                  {...props}
                />
              )}
            >
              {url}
            </Anchor>
            <Text size="sm" c="dimmed" className="user-text">
              {description}
            </Text>
          </>
        ),
      },
      {
        id: 'events',
        header: 'Events',
        wideOnly: true,
        cell: ({ eventTypes }) => (eventTypes === null ? 'every event' : counted(eventTypes.length, 'type')),
      },
      {
        id: 'state',
        header: 'State',
        cell: ({ enabled }) => <Status status={enabled ? 'enabled' : 'disabled'} />,
      },
      { id: 'day', header: '24 hours', wideOnly: true, cell: ({ id }) => <DayStrip endpointId={id} /> },
      {
        id: 'last',
        header: 'Last attempt',
        align: 'right',
        cell: ({ lastStatus, lastAttemptAt, consecutiveFailures }) =>
          lastAttemptAt === null ? (
            'none yet'
          ) : (
            <>
              <LastStatus status={lastStatus} /> <Moment at={lastAttemptAt} />
              {consecutiveFailures > 0 && (
                <Text size="xs" c="var(--mantine-color-error)">
                  {consecutiveFailures} failed in a row
                </Text>
              )}
            </>
          ),
      },
    ],
    [place],
  );
  if (!administers) {
    return (
      <Empty title="Webhooks are not open to you">Owners and admins of this workspace look after them.</Empty>
    );
  }
  const create = <Button onClick={() => setMaking(true)}>New endpoint</Button>;
  return (
    <Page
      title="Webhooks"
      description="What happens in this environment is sent to your own services, signed, as it happens."
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/w/$workspace/$environment/webhooks/event-types" params={place} {...props} />
            )}
          >
            Event types
          </Button>
          {create}
        </>
      }
    >
      <Listing
        label="Webhook endpoints"
        query={query}
        columns={columns}
        empty={
          <Empty title="No endpoint yet">
            Make one with the https address of your service, keep its signing secret, and send a test.
          </Empty>
        }
      />
      <NewEndpoint opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}
