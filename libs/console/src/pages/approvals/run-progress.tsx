import { Anchor, Group, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { runOptions } from '../../kit/run-options.js';
import type { Place } from '../../api/place.js';
import { durationText } from '../../kit/moment.js';
import { Status } from '../../kit/status.js';

/** How the run goes that was held; the workspace's events keep it up to date. */
export function RunProgress({ runId, place }: { runId: string; place: Place }) {
  const { data: run } = useQuery(runOptions(runId));
  const finished = run?.phase === 'finished';
  return (
    <Group gap="xs" role="status" mih={28}>
      <Text size="sm">The run:</Text>
      {run && <Status status={finished ? run.status : run.phase} />}
      {run?.durationMs != null && <Text size="sm">after {durationText(run.durationMs)}</Text>}
      {run && !finished && run.progress !== null && (
        <Progress value={run.progress * 100} w={120} aria-label="Progress" />
      )}
      <Anchor
        size="sm"
        fw={600}
        renderRoot={(props) => (
          <Link to="/w/$workspace/$environment/runs/$runId" params={{ ...place, runId }} {...props} />
        )}
      >
        See the run
      </Anchor>
      {run?.status === 'failed' && run.error && (
        <Text size="sm" className="user-text" w="100%">
          {run.error}
        </Text>
      )}
    </Group>
  );
}
