import { type WebhookDelivery, deliveriesRedeliver } from '@gatehouse/client/operations';
import IconCopy from 'icon:copy';
import IconRefresh from 'icon:refresh';

import { copied } from '../../../kit/copied.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { RowActs } from '../../../kit/row-acts.js';
import { useRefresh } from '../../../kit/use-refresh.js';

interface DeliveryActsProps {
  endpointId: string;
  delivery: WebhookDelivery;
}

/** What can be done with a delivery in the list. */
export function DeliveryActs({ endpointId, delivery }: DeliveryActsProps) {
  const refresh = useRefresh();
  const sendAgain = async (): Promise<void> => {
    try {
      await deliveriesRedeliver({ path: { endpointId, deliveryId: delivery.id } });
      notifyDone(`${delivery.eventType} is queued once more.`);
      await refresh('deliveriesList', 'deliveriesStatistics');
    } catch (error) {
      notifyProblem(error);
    }
  };
  return (
    <RowActs
      of={`the delivery ${delivery.id}`}
      acts={[
        { label: 'Send again', icon: IconRefresh, onAct: () => void sendAgain() },
        { label: 'Copy the id', icon: IconCopy, onAct: () => void copied(delivery.id) },
      ]}
    />
  );
}
