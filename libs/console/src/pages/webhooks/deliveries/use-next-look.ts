import type { WebhookDelivery } from '@gatehouse/client/operations';
import { useEffect } from 'react';

import { useRefresh } from '../../../kit/use-refresh.js';
import { nextLook } from './next-look.js';

/** Reads deliveries again once the next attempt at one of them was made, while somebody looks. */
export function useNextLook(deliveries: readonly WebhookDelivery[]): void {
  const refresh = useRefresh();
  useEffect(() => {
    const wait = nextLook(deliveries, Date.now());
    if (wait === null) return;
    const look = (): void => {
      if (!document.hidden) void refresh('deliveriesList', 'deliveriesAttempts', 'deliveriesStatistics');
    };
    const timer = setTimeout(look, wait);
    return () => clearTimeout(timer);
  }, [deliveries, refresh]);
}
