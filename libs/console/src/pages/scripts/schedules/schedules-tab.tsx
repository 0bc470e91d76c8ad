import { type Schedule, schedulesChange } from '@gatehouse/client/operations';
import { schedulesListOfScriptInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Code, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import type { Column } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { usePages } from '../../../kit/use-pages.js';
import { AutomationList } from '../automations/automation-list.js';
import { AutomationSummary } from '../automations/automation-summary.js';
import { AutomationSwitch } from '../automations/automation-switch.js';
import { useScript } from '../script-context.js';
import { cronAloud } from './cron-aloud.js';

export function SchedulesTab() {
  const { slug } = useScript();
  const query = usePages(schedulesListOfScriptInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useScheduleColumns();
  return (
    <AutomationList
      kind="schedule"
      query={query}
      columns={columns}
      empty={{
        title: 'No schedule yet',
        published:
          'A schedule runs this script by the clock: each hour, each workday at nine, on the first of the month.',
        unpublished: 'Publish a version first; then it can run by the clock.',
      }}
    />
  );
}

function useScheduleColumns(): Column<Schedule>[] {
  const place = usePlace();
  const { slug } = useScript();
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
                params={{ ...place, slug, scheduleId: schedule.id }}
                {...props}
              />
            )}
          >
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
    [place, slug],
  );
}

function Dimmed({ children }: { children: string }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}
