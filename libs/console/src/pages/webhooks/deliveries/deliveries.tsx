import type { WebhookDelivery, WebhookEndpoint } from '@gatehouse/client/operations';
import { deliveriesListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Text, UnstyledButton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { actsColumn } from '../../../kit/row-acts.js';
import { Section } from '../../../kit/section.js';
import { Status } from '../../../kit/status.js';
import { usePages } from '../../../kit/use-pages.js';
import { LastStatus } from '../last-status.js';
import { RecoverEvents } from '../recover-events.js';
import { ChosenDeliveries, nameOfDelivery } from './chosen-deliveries.js';
import { DeliveryActs } from './delivery-acts.js';
import { DeliveryDetail } from './delivery-detail.js';
import { DeliveryFilters } from './delivery-filters.js';
import { type DeliverySearch, deliveryQuery, sinceOf } from './delivery-search.js';
import { useNextLook } from './use-next-look.js';

const FROM = '/w/$workspace/$environment/webhooks/$endpointId';

/** What was sent to an endpoint. It is read again when something happens, and when an attempt was due. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id: endpointId, enabled, eventTypes } = endpoint;
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const [openId, setOpenId] = useState<string | null>(null);
  const [ids, setIds] = useState<string[]>([]);
  const [recovers, setRecovers] = useState(false);
  // The hour, day or week counts from when it was chosen.
  const asked = useMemo(() => deliveryQuery(search, Date.now()), [search]);
  const query = usePages(
    deliveriesListInfiniteOptions({ path: { endpointId }, query: { limit: 25, ...asked } }),
  );
  const all = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  useNextLook(all);
  const open = all.find(({ id }) => id === openId);
  const chosen = useMemo(() => all.filter(({ id }) => ids.includes(id)), [all, ids]);
  const columns = useMemo(() => columnsOf(endpointId, setOpenId), [endpointId]);
  const onSearch = (next: DeliverySearch): void => {
    setIds([]);
    void navigate({ search: next, resetScroll: false });
  };
  return (
    <Section
      title="Deliveries"
      description="The newest first. An attempt that fails is made again, later and later."
      actions={
        enabled && (
          <Button variant="default" size="compact-sm" onClick={() => setRecovers(true)}>
            Send all that failed again…
          </Button>
        )
      }
    >
      <DeliveryFilters search={search} onSearch={onSearch} eventTypes={eventTypes} />
      <ChosenDeliveries endpointId={endpointId} deliveries={chosen} onDone={() => setIds([])} />
      <Listing
        label="Deliveries"
        query={query}
        columns={columns}
        chosen={{
          ids: useMemo(() => chosen.map(({ id }) => id), [chosen]),
          onChange: setIds,
          nameOf: nameOfDelivery,
        }}
        empty={<Nothing isFiltered={Object.keys(search).length > 0} />}
      />
      <FormDialog
        title={open?.eventType ?? 'Delivery'}
        size="min(1100px, 100%)"
        opened={open !== undefined}
        onClose={() => setOpenId(null)}
      >
        {open && <DeliveryDetail endpointId={endpointId} delivery={open} onClose={() => setOpenId(null)} />}
      </FormDialog>
      <FormDialog title="Recover missed events" opened={recovers} onClose={() => setRecovers(false)}>
        <RecoverEvents
          endpointId={endpointId}
          since={search.since === undefined ? undefined : sinceOf(search.since, Date.now())}
          onClose={() => setRecovers(false)}
        />
      </FormDialog>
    </Section>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No delivery like that">Choose less above, or another time.</Empty>;
  return (
    <Empty title="Nothing was sent yet">
      Send a test, or wait until something happens that this endpoint is told of.
    </Empty>
  );
}

function columnsOf(endpointId: string, onOpen: (id: string) => void): Column<WebhookDelivery>[] {
  return [
    {
      id: 'event',
      header: 'Event',
      cell: ({ id, eventType, redeliveryOf }) => (
        <>
          <UnstyledButton
            fz="sm"
            fw={600}
            c="var(--mantine-color-anchor)"
            style={{ overflowWrap: 'anywhere' }}
            onClick={() => onOpen(id)}
            aria-haspopup="dialog"
          >
            {eventType}
          </UnstyledButton>
          {redeliveryOf !== null && (
            <Text size="xs" c="dimmed">
              sent again
            </Text>
          )}
        </>
      ),
    },
    { id: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
    {
      id: 'attempts',
      header: 'Attempts',
      cell: ({ attempts, lastStatus, nextAttemptAt }) => (
        <>
          {attempts} {attempts > 0 && <LastStatus status={lastStatus} />}
          {nextAttemptAt !== null && attempts > 0 && (
            <Text size="xs" c="dimmed">
              next <Moment at={nextAttemptAt} />
            </Text>
          )}
        </>
      ),
    },
    { id: 'when', header: 'When', align: 'right', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    actsColumn((delivery) => <DeliveryActs endpointId={endpointId} delivery={delivery} />),
  ];
}
