import type { HeldRun } from '@gatehouse/client/operations';
import { runsGetOptions } from '@gatehouse/client/react-query';
import { Anchor, Code, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { Status } from '../../../kit/status.js';
import type { Part } from './conversation.js';

/** A tool that an agent called; where it started a run, with how that stands now. */
export function CallRow({ call, isOver }: { call: Extract<Part, { kind: 'call' }>; isOver: boolean }) {
  if (call.run) return <RunRow run={call.run} />;
  if (call.runId) return <KeptRunRow runId={call.runId} />;
  return (
    <Text size="sm" c="dimmed">
      {isOver ? 'Called' : 'Calls'} <Code>{call.name}</Code>
    </Text>
  );
}

/** Of an earlier answer: nothing where the run is gone, or hidden by now. */
function KeptRunRow({ runId }: { runId: string }) {
  const { data } = useQuery(runsGetOptions({ path: { runId } }));
  return data ? <RunRow run={{ approval: null, ...data }} /> : null;
}

function RunRow({ run }: { run: HeldRun }) {
  const place = usePlace();
  // Events of the workspace make it stale, also long after the answer.
  const { data = run } = useQuery(runsGetOptions({ path: { runId: run.id } }));
  return (
    <Paper withBorder px="sm" py="xs">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Status status={data.phase === 'finished' ? data.status : data.phase} />
          <Anchor
            size="sm"
            className="user-text"
            renderRoot={(props) => (
              <Link
                to="/w/$workspace/$environment/runs/$runId"
                params={{ ...place, runId: run.id }}
                {...props}
              />
            )}
          >
            Run of {data.script.slug ?? 'a script'}
          </Anchor>
        </Group>
        {data.status === 'awaiting_approval' && run.approval && (
          <Anchor
            size="sm"
            fw={600}
            renderRoot={(props) => (
              <Link to="/approvals/$requestId" params={{ requestId: run.approval!.id }} {...props} />
            )}
          >
            Decide
          </Anchor>
        )}
      </Group>
      {data.error !== null && (
        <Text size="xs" c="dimmed" mt={4} className="user-text">
          {data.error}
        </Text>
      )}
    </Paper>
  );
}
