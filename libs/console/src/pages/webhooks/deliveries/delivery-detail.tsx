import { type WebhookDelivery, deliveriesRedeliver } from '@gatehouse/client/operations';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { notifyDone } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Status } from '../../../kit/status.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { Attempts } from './attempts.js';

export interface DeliveryDetailProps {
  endpointId: string;
  delivery: WebhookDelivery;
  onClose: () => void;
}

export function DeliveryDetail({ endpointId, delivery, onClose }: DeliveryDetailProps) {
  const refresh = useRefresh();
  const again = useMutation({
    mutationFn: () => deliveriesRedeliver({ path: { endpointId, deliveryId: delivery.id } }),
    onSuccess: async () => {
      await refresh('deliveriesList');
      notifyDone('The event is queued once more, as a delivery of its own.');
      onClose();
    },
  });
  return (
    <Stack>
      <Group gap="xs">
        <Status status={delivery.status} />
        {delivery.redeliveryOf !== null && (
          <Text size="sm" c="dimmed">
            sent again
          </Text>
        )}
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Event <code>{delivery.eventId}</code>, sent with the header <code>webhook-id</code>{' '}
        <code>{delivery.id}</code>
      </Text>
      <Attempts endpointId={endpointId} deliveryId={delivery.id} />
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
