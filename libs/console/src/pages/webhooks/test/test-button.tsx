import { deliveriesTest } from '@gatehouse/client/operations';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import type { Tested } from './test-outcome.js';

export function TestButton({
  endpointId,
  onTested,
}: {
  endpointId: string;
  onTested: (tested: Tested | null) => void;
}) {
  const refresh = useRefresh();
  const test = useMutation({
    mutationFn: () => deliveriesTest({ path: { endpointId } }),
    onMutate: () => onTested(null),
    onSuccess: ({ data }) => {
      onTested({ deliveryId: data.deliveryId, ok: data.ok ?? false });
      return refresh('deliveriesList', 'deliveriesStatistics', 'endpointsGet', 'endpointsList');
    },
    onError: notifyProblem,
  });
  return (
    <Button loading={test.isPending} onClick={() => test.mutate()}>
      Send a test
    </Button>
  );
}
