import { type WebhookDelivery, deliveriesRedeliver } from '@gatehouse/client/operations';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';

import { type Outcome, actOnEach } from '../../../kit/act-on-each.js';
import { counted } from '../../../kit/counted.js';
import { notifyProblem } from '../../../kit/notify.js';
import { OutcomeNotice } from '../../../kit/outcome-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { useRefresh } from '../../../kit/use-refresh.js';

interface ChosenDeliveriesProps {
  endpointId: string;
  deliveries: readonly WebhookDelivery[];
  onDone: () => void;
}

/** Several sent once more: each is a delivery of its own, in the order in which they happened. */
export function ChosenDeliveries({ endpointId, deliveries, onDone }: ChosenDeliveriesProps) {
  const [result, setResult] = useState<Outcome | null>(null);
  const refresh = useRefresh();
  const sending = useAct(async () => {
    setResult(null);
    try {
      const send = ({ id }: WebhookDelivery) => deliveriesRedeliver({ path: { endpointId, deliveryId: id } });
      setResult(await actOnEach(deliveries.toReversed(), nameOfDelivery, send));
      onDone();
    } catch (error) {
      notifyProblem(error);
    }
    await refresh('deliveriesList', 'deliveriesStatistics');
  });
  return (
    <>
      {deliveries.length > 0 && (
        <Group gap="xs" role="toolbar" aria-label="Chosen deliveries">
          <Text size="sm">{counted(deliveries.length, 'delivery', 'deliveries')} chosen</Text>
          <Button size="xs" variant="default" loading={sending.busy} onClick={() => void sending.run()}>
            Send {deliveries.length} again
          </Button>
        </Group>
      )}
      {result && (
        <OutcomeNotice
          noun="delivery"
          text={`${counted(result.done, 'event')} queued once more`}
          outcome={result}
          onClose={() => setResult(null)}
        />
      )}
    </>
  );
}

export function nameOfDelivery({ eventType, id }: WebhookDelivery): string {
  return `${eventType} (${id})`;
}
