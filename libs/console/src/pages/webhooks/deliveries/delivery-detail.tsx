import { type WebhookDelivery, deliveriesRedeliver } from '@gatehouse/client/operations';
import { deliveriesAttemptsInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Group, SimpleGrid, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { notifyDone } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Status } from '../../../kit/status.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { LastStatus } from '../last-status.js';
import { AttemptResponse } from './attempts.js';
import { SentRequest } from './sent-request.js';

export interface DeliveryDetailProps {
  endpointId: string;
  delivery: WebhookDelivery;
  onClose: () => void;
}

/** What was sent, and what came back, at each attempt. */
export function DeliveryDetail({ endpointId, delivery, onClose }: DeliveryDetailProps) {
  const refresh = useRefresh();
  const again = useMutation({
    mutationFn: () => deliveriesRedeliver({ path: { endpointId, deliveryId: delivery.id } }),
    onSuccess: async () => {
      await refresh('deliveriesList', 'deliveriesStatistics');
      notifyDone('The event is queued once more, as a delivery of its own.');
      onClose();
    },
  });
  return (
    <Stack>
      <Group gap="xs">
        <Status status={delivery.status} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {delivery.redeliveryOf !== null && 'sent again · '}
          event <code>{delivery.eventId}</code> · delivery <code>{delivery.id}</code>
        </Text>
      </Group>
      <AttemptTabs endpointId={endpointId} delivery={delivery} />
      {again.isError && <ProblemNotice error={again.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={again.isPending} onClick={() => again.mutate()}>
          Send it again
        </Button>
      </Group>
    </Stack>
  );
}

function AttemptTabs({ endpointId, delivery }: Omit<DeliveryDetailProps, 'onClose'>) {
  const path = { endpointId, deliveryId: delivery.id };
  const query = usePages(deliveriesAttemptsInfiniteOptions({ path, query: { limit: 25 } }));
  const [chosen, setChosen] = useState<string | null>(null);
  if (query.isPending) return <Skeleton height={240} aria-hidden />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={query.refetch} />;
  const attempts = query.data.pages.flatMap(({ items }) => items);
  const [newest] = attempts;
  if (!newest) {
    return (
      <Stack gap="xs">
        <Title order={3} fz="sm">
          Will be sent
        </Title>
        <SentRequest {...path} attempt={null} />
      </Stack>
    );
  }
  return (
    <Tabs value={chosen ?? String(newest.number)} onChange={setChosen} keepMounted={false}>
      <Tabs.List aria-label="Attempts">
        {attempts.map(({ number, status }) => (
          <Tabs.Tab key={number} value={String(number)}>
            Attempt {number} <LastStatus status={status} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {attempts.map((attempt) => (
        <Tabs.Panel key={attempt.number} value={String(attempt.number)} pt="sm">
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Stack gap="xs" miw={0}>
              <Title order={3} fz="sm">
                Request
              </Title>
              <SentRequest {...path} attempt={attempt.number} />
            </Stack>
            <Stack gap="xs" miw={0}>
              <Title order={3} fz="sm">
                Response
              </Title>
              <AttemptResponse attempt={attempt} />
            </Stack>
          </SimpleGrid>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
