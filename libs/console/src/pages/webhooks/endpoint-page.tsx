import { endpointsGetOptions } from '@gatehouse/client/react-query';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { usePlace } from '../../app/use-place.js';
import { Page } from '../../kit/page.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { LastDay } from './deliveries/last-day.js';
import { Deliveries } from './deliveries/deliveries.js';
import { EndpointActions } from './endpoint-actions.js';
import { EndpointState } from './endpoint-state.js';
import { TestButton } from './test/test-button.js';
import { TestOutcome, type Tested } from './test/test-outcome.js';

const LIST = '/w/$workspace/$environment/webhooks';

export function EndpointPage() {
  const { endpointId } = useParams({ from: `${LIST}/$endpointId` });
  const place = usePlace();
  const [tested, setTested] = useState<Tested | null>(null);
  const {
    data: endpoint,
    isPending,
    error,
    refetch,
  } = useQuery(endpointsGetOptions({ path: { endpointId } }));
  return (
    <Page
      title={endpoint?.url ?? 'Endpoint'}
      description={endpoint?.description}
      crumbs={[{ label: 'Webhooks', link: { to: LIST, params: place } }]}
      actions={
        endpoint && (
          <>
            <TestButton endpointId={endpointId} onTested={setTested} />
            <EndpointActions endpoint={endpoint} />
          </>
        )
      }
    >
      {isPending && <Skeleton height={120} aria-hidden />}
      {error && <ProblemNotice error={error} onRetry={refetch} />}
      {endpoint && (
        <Stack gap="xl">
          {tested && <TestOutcome endpointId={endpointId} tested={tested} onClose={() => setTested(null)} />}
          <EndpointState endpoint={endpoint} />
          <LastDay endpointId={endpointId} />
          <Deliveries endpoint={endpoint} />
        </Stack>
      )}
    </Page>
  );
}
