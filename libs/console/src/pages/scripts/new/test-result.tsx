import type { Run } from '@gatehouse/client/operations';
import { Alert, Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { LogView } from '../../../kit/log-view.js';
import { durationText } from '../../../kit/moment.js';
import { RunFiles } from '../../../kit/run-files.js';
import { RunOutput } from '../../../kit/run-output.js';
import { Status } from '../../../kit/status.js';

interface TestResultProps {
  runId: string;
  run: Run | undefined;
  version: number | null;
}

/** What a test run does, while it does it and afterwards. */
export function TestResult({ runId, run, version }: TestResultProps) {
  if (!run) return <Skeleton height={220} />;
  const written = run.files?.filter(({ direction }) => direction === 'out') ?? [];
  const ended = run.phase === 'finished';
  return (
    <Stack gap="sm">
      <Group gap="xs" role="status">
        <Status status={ended ? run.status : run.phase} />
        {run.durationMs !== null && (
          <Text size="sm" c="dimmed">
            {durationText(run.durationMs)}
          </Text>
        )}
        {version !== null && (
          <Text size="sm" c="dimmed">
            version {version}
          </Text>
        )}
      </Group>
      {run.phase === 'held' && run.approvalRequestId && <Held requestId={run.approvalRequestId} />}
      {run.error && (
        <Text
          size="sm"
          c="var(--mantine-color-error)"
          className="user-text"
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {run.error}
        </Text>
      )}
      {ended && (
        <div>
          <Title order={3} size="sm" mb={4}>
            Output
          </Title>
          <RunOutput run={run} />
        </div>
      )}
      {written.length > 0 && (
        <div>
          <Title order={3} size="sm" mb={4}>
            Files
          </Title>
          <RunFiles files={written} />
        </div>
      )}
      <div>
        <Title order={3} size="sm" mb={4}>
          Log
        </Title>
        <LogView runId={runId} live={!ended} startedAt={run.executionStartedAt} height={220} />
      </div>
    </Stack>
  );
}

function Held({ requestId }: { requestId: string }) {
  return (
    <Alert color="orange" variant="light">
      <Text size="sm">
        This run waits until somebody approves it.{' '}
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/approvals/$requestId" params={{ requestId }} {...props} />}
        >
          Open the request
        </Anchor>
      </Text>
    </Alert>
  );
}
