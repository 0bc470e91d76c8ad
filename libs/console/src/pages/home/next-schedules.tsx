import type { SchedulePage } from '@gatehouse/client/operations';
import { Text } from '@mantine/core';

import { usePlace } from '../../app/use-place.js';
import { Moment } from '../../kit/moment.js';
import type { Reading } from '../../kit/reading.js';
import { Card } from './card.js';
import { Entries, Entry } from '../../kit/entries.js';
import { ScheduleLink } from '../scripts/schedules/schedule-link.js';
import { nextDue } from './next-due.js';

const SHOWN = 5;

/** Which schedules start runs next. */
export function NextSchedules({ query }: { query: Reading<SchedulePage> }) {
  const place = usePlace();
  const { data } = query;
  const next = nextDue(data?.items ?? [], SHOWN);
  return (
    <Card
      title="Next schedules"
      more={{ label: 'Schedules', link: { to: '/w/$workspace/$environment/schedules', params: place } }}
      query={query}
      isEmpty={next.length === 0}
      empty="No schedule is on."
    >
      <Entries>
        {next.map((schedule) => (
          <Entry
            key={schedule.id}
            name={<ScheduleLink schedule={schedule} weight={500} />}
            about={`${schedule.script.slug} in ${schedule.environment}`}
          >
            <Moment at={schedule.nextRunAt} />
          </Entry>
        ))}
      </Entries>
      {data?.nextCursor && (
        <Text size="xs" c="dimmed">
          Of the newest {data.items.length} schedules.
        </Text>
      )}
    </Card>
  );
}
