import { type Schedule, schedulesChange } from '@gatehouse/client';
import { schedulesListOfScriptInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AutomationSwitch } from '../automation-switch.js';
import { useScript } from '../script-context.js';
import { cronAloud } from './cron-aloud.js';

export function SchedulesTab() {
  const { slug, publishedVersion } = useScript();
  const query = usePages(schedulesListOfScriptInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useScheduleColumns();
  const some = (query.data?.pages[0]?.items.length ?? 0) > 0;
  return (
    <Stack>
      {some && publishedVersion !== null && (
        <Group justify="flex-end">
          <NewScheduleButton />
        </Group>
      )}
      <Listing
        label="Schedules"
        query={query}
        columns={columns}
        empty={
          <Empty
            title="No schedule yet"
            action={publishedVersion === null ? undefined : <NewScheduleButton />}
          >
            {publishedVersion === null
              ? 'Publish a version first; then it can run by the clock.'
              : 'A schedule runs this script by the clock: each hour, each workday at nine, on the first of the month.'}
          </Empty>
        }
      />
    </Stack>
  );
}

function NewScheduleButton() {
  const place = usePlace();
  const { slug } = useScript();
  return (
    <Button
      renderRoot={(props) => (
        <Link
          to="/w/$workspace/$environment/scripts/$slug/schedules/new"
          params={{ ...place, slug }}
          {...props}
        />
      )}
    >
      New schedule
    </Button>
  );
}

function useScheduleColumns(): Column<Schedule>[] {
  const place = usePlace();
  const { slug } = useScript();
  const refresh = useRefresh();
  return useMemo(
    (): Column<Schedule>[] => [
      {
        id: 'name',
        header: 'Schedule',
        ownLine: true,
        cell: ({ id, name, cron, timezone, environment, disabledReason }) => (
          <>
            <Anchor
              fw={600}
              size="sm"
              className="user-text"
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/scripts/$slug/schedules/$scheduleId"
                  params={{ ...place, slug, scheduleId: id }}
                  {...props}
                />
              )}
            >
              {name}
            </Anchor>
            <Text size="sm" c="dimmed">
              {cronAloud(cron) ?? cron} <Code>{cron}</Code> {timezone}, in {environment}
            </Text>
            {disabledReason && (
              <Text size="sm" className="user-text">
                Switched off by the service: {disabledReason}
              </Text>
            )}
          </>
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
            name={name}
            enabled={enabled}
            onChange={async (next) => {
              await schedulesChange({ path: { id }, body: { enabled: next } });
              await refresh(...staleAfter('schedule.changed'));
            }}
          />
        ),
      },
    ],
    [place, slug, refresh],
  );
}

function Dimmed({ children }: { children: string }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}
