import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';

import { runOptions } from '../../kit/run-options.js';
import { Page } from '../../kit/page.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { usePlace } from '../../app/use-place.js';
import { RunDetail } from './run/run-detail.js';

export function RunPage() {
  const { runId } = useParams({ from: '/w/$workspace/$environment/runs/$runId' });
  const place = usePlace();
  const { data: run, error, refetch } = useQuery(runOptions(runId));
  if (run) return <RunDetail key={runId} run={run} />;
  return (
    <Page
      title="Run"
      crumbs={[{ label: 'Runs', link: { to: '/w/$workspace/$environment/runs', params: place } }]}
    >
      {error ? (
        <ProblemNotice error={error} onRetry={refetch} title="This run cannot be shown" />
      ) : (
        <Stack aria-hidden>
          <Skeleton height={64} />
          <Skeleton height={320} />
        </Stack>
      )}
    </Page>
  );
}
