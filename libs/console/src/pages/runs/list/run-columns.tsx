import type { Run } from '@gatehouse/client/operations';
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import type { Place } from '../../../api/place.js';
import type { Column } from '../../../kit/listing.js';
import { Moment, durationText } from '../../../kit/moment.js';
import { actsColumn } from '../../../kit/row-acts.js';
import { Status } from '../../../kit/status.js';
import { RunActs } from './run-acts.js';
import { INTERFACES } from './run-filters.js';
import { RunLabels } from '../run-labels.js';
import { versionName } from '../version-name.js';

export function runColumns(place: Place, nameOf: (userId: string) => string): Column<Run>[] {
  return [
    { id: 'run', header: 'Run', cell: (run) => <RunName run={run} place={place} /> },
    {
      id: 'status',
      header: 'Status',
      cell: ({ phase, status }) => <Status status={phase === 'finished' ? status : phase} />,
    },
    {
      id: 'how',
      header: 'Started by',
      cell: ({ startedBy, interface: how }) => (
        <Text size="sm" className="user-text">
          {startedBy.userId === null
            ? (startedBy.credentialName ?? INTERFACES[how])
            : nameOf(startedBy.userId)}
          <Text span inherit c="dimmed">
            {` · ${INTERFACES[how]}`}
          </Text>
        </Text>
      ),
    },
    { id: 'environment', header: 'Environment', wideOnly: true, cell: ({ environment }) => environment },
    {
      id: 'duration',
      header: 'Took',
      align: 'right',
      wideOnly: true,
      cell: ({ durationMs }) => (durationMs === null ? '' : durationText(durationMs)),
    },
    { id: 'asked', header: 'Asked', align: 'right', cell: ({ startedAt }) => <Moment at={startedAt} /> },
    actsColumn((run) => <RunActs run={run} />),
  ];
}

function RunName({ run, place }: { run: Run; place: Place }) {
  const asks = run.waitingApprovalIds.length > 0 ? 'A request of it waits for approval' : null;
  const note = run.error ?? asks ?? (run.phase === 'executing' ? run.progressMessage : null);
  return (
    <>
      <Group gap="xs">
        <Anchor
          size="sm"
          fw={500}
          className="user-text"
          renderRoot={(props) => (
            <Link
              to="/w/$workspace/$environment/runs/$runId"
              params={{ ...place, runId: run.id }}
              {...props}
            />
          )}
        >
          {run.script.slug}
        </Anchor>
        <Text size="xs" c="dimmed">
          {versionName(run)}
        </Text>
        {run.plan && (
          <Badge size="sm" variant="outline" color="gray" tt="none" radius="sm" c="var(--mantine-color-text)">
            Plan
          </Badge>
        )}
        {run.test && (
          <Badge size="sm" variant="outline" color="gray" tt="none" radius="sm" c="var(--mantine-color-text)">
            Test
          </Badge>
        )}
      </Group>
      {note !== null && (
        <Text size="xs" c="dimmed" className="user-text" lineClamp={1}>
          {note}
        </Text>
      )}
      <RunLabels labels={run.labels} place={place} most={3} />
    </>
  );
}
