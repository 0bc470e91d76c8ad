import type { Run } from '@gatehouse/client/operations';
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import type { Place } from '../../../api/place.js';
import type { Column } from '../../../kit/listing.js';
import { Moment, durationText } from '../../../kit/moment.js';
import { Status } from '../../../kit/status.js';
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
  ];
}

function RunName({ run, place }: { run: Run; place: Place }) {
  return (
    <>
      <Group gap="xs">
        <Anchor
          size="sm"
          fw={600}
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
        {run.test && (
          <Badge size="sm" variant="outline" color="gray" tt="none" radius="sm" c="var(--mantine-color-text)">
            Test
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" className="user-text" lineClamp={1}>
        {run.error ??
          (run.phase === 'executing' ? (run.progressMessage ?? versionName(run)) : versionName(run))}
      </Text>
      <RunLabels labels={run.labels} place={place} most={3} />
    </>
  );
}
