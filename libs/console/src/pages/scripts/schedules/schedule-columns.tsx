import { type Schedule, schedulesChange } from '@gatehouse/client/operations';
import { Anchor, Code, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import type { Column } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { AutomationSummary } from '../automations/automation-summary.js';
import { AutomationSwitch } from '../automations/automation-switch.js';
import { cronAloud } from './cron-aloud.js';

/** @param ofMany whether each says what it runs, since they are of several scripts */
export function useScheduleColumns({ ofMany = false } = {}): Column<Schedule>[] {
  const place = usePlace();
  return useMemo(
    (): Column<Schedule>[] => [
      {
        id: 'name',
        header: 'Schedule',
        ownLine: true,
        cell: (schedule) => (
          <AutomationSummary
            automation={schedule}
            renderLink={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/schedules/$scheduleId"
                params={{ ...place, slug: schedule.script.slug, scheduleId: schedule.id }}
                {...props}
              />
            )}
          >
            {ofMany && `${schedule.script.slug}: `}
            {cronAloud(schedule.cron) ?? schedule.cron} <Code>{schedule.cron}</Code> {schedule.timezone}, in{' '}
            {schedule.environment}
          </AutomationSummary>
        ),
      },
      {
        id: 'last',
        header: 'Last run',
        align: 'right',
        cell: ({ lastRunAt, lastRunId }) =>
          lastRunAt && lastRunId ? (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/runs/$runId"
                  params={{ ...place, runId: lastRunId }}
                  {...props}
                />
              )}
            >
              <Moment at={lastRunAt} />
            </Anchor>
          ) : (
            <Dimmed>never run</Dimmed>
          ),
      },
      {
        id: 'next',
        header: 'Next run',
        align: 'right',
        cell: ({ nextRunAt }) => (nextRunAt ? <Moment at={nextRunAt} /> : <Dimmed>none</Dimmed>),
      },
      {
        id: 'on',
        header: 'On',
        cell: ({ id, name, enabled }) => (
          <AutomationSwitch
            kind="schedule"
            name={name}
            enabled={enabled}
            onChange={(next) => schedulesChange({ path: { id }, body: { enabled: next } })}
          />
        ),
      },
    ],
    [place, ofMany],
  );
}

function Dimmed({ children }: { children: string }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}
