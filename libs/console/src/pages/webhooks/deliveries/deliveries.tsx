import type { WebhookDelivery } from '@gatehouse/client/operations';
import { deliveriesListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Text, UnstyledButton } from '@mantine/core';
import IconRefresh from 'icon:refresh';
import { useMemo, useState } from 'react';

import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { Section } from '../../../kit/section.js';
import { Status } from '../../../kit/status.js';
import { usePages } from '../../../kit/use-pages.js';
import { LastStatus } from '../last-status.js';
import { DeliveryDetail } from './delivery-detail.js';

/** What was sent to an endpoint. No event tells of each delivery, so the list is read again by hand. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const query = usePages(deliveriesListInfiniteOptions({ path: { endpointId }, query: { limit: 25 } }));
  const open = query.data?.pages.flatMap(({ items }) => items).find(({ id }) => id === openId);
  const columns = useMemo(
    (): Column<WebhookDelivery>[] => [
      {
        id: 'event',
        header: 'Event',
        cell: ({ id, eventType, redeliveryOf }) => (
          <>
            <UnstyledButton
              fz="sm"
              fw={600}
              c="var(--mantine-color-anchor)"
              onClick={() => setOpenId(id)}
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
    ],
    [],
  );
  return (
    <Section
      title="Deliveries"
      description="The newest first. An attempt that fails is made again, later and later."
      actions={
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={query.isRefetching}
          onClick={() => void query.refetch()}
        >
          Read again
        </Button>
      }
    >
      <Listing
        label="Deliveries"
        query={query}
        columns={columns}
        empty={
          <Empty title="Nothing was sent yet">
            Send a test, or wait until something happens that this endpoint is told of.
          </Empty>
        }
      />
      <FormDialog
        title={open?.eventType ?? 'Delivery'}
        size="lg"
        opened={open !== undefined}
        onClose={() => setOpenId(null)}
      >
        {open && <DeliveryDetail endpointId={endpointId} delivery={open} onClose={() => setOpenId(null)} />}
      </FormDialog>
    </Section>
  );
}
