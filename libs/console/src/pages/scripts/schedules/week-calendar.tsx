import type { Schedule } from '@gatehouse/client/operations';
import { Stack, Text, Title } from '@mantine/core';

import { LOCALE } from '../../../kit/locale.js';
import { cronAloud } from './cron-aloud.js';
import { ScheduleLink } from './schedule-link.js';
import { type WeekDay, weekOf } from './week.js';
import classes from './week.module.css';

const MOST_A_DAY = 40;

const DAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', month: 'short', day: 'numeric' });
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** When schedules are due in the next seven days, by the reader's clock. */
export function WeekCalendar({ schedules }: { schedules: readonly Schedule[] }) {
  const { days, often } = weekOf(schedules, new Date());
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Stack gap="lg">
      <ol className={classes['days']} aria-label="The next seven days">
        {days.map((day, index) => (
          <Day key={day.start.toISOString()} day={day} isToday={index === 0} />
        ))}
      </ol>
      {often.length > 0 && (
        <section aria-label="Many times a day">
          <Title order={2} fz="sm">
            Many times a day
          </Title>
          <ul className={classes['times']}>
            {often.map((schedule) => (
              <li key={schedule.id} style={{ display: 'block' }}>
                <ScheduleOfScript schedule={schedule} />{' '}
                <Text span size="sm" c="dimmed">
                  {cronAloud(schedule.cron) ?? schedule.cron}
                </Text>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Text size="sm" c="dimmed">
        Times are those of your clock, {timeZone}. What is switched off is in the table only.
      </Text>
    </Stack>
  );
}

function Day({ day: { start, occurrences }, isToday }: { day: WeekDay; isToday: boolean }) {
  return (
    <li className={classes['day']} data-today={isToday || undefined}>
      <Title order={2} fz="sm">
        {isToday ? 'Today, ' : ''}
        {DAY.format(start)}
      </Title>
      {occurrences.length === 0 ? (
        <Text size="sm" c="dimmed" mt={8}>
          Nothing
        </Text>
      ) : (
        <ul className={classes['times']}>
          {occurrences.slice(0, MOST_A_DAY).map(({ at, schedule }) => (
            <li key={`${schedule.id} ${at.getTime()}`}>
              <time dateTime={at.toISOString()}>{TIME.format(at)}</time>
              <ScheduleOfScript schedule={schedule} />
            </li>
          ))}
        </ul>
      )}
      {occurrences.length > MOST_A_DAY && (
        <Text size="sm" c="dimmed">
          and {(occurrences.length - MOST_A_DAY).toLocaleString(LOCALE)} more
        </Text>
      )}
    </li>
  );
}

function ScheduleOfScript({ schedule }: { schedule: Schedule }) {
  return (
    <div>
      <ScheduleLink schedule={schedule} />
      <Text size="xs" c="dimmed" className="user-text">
        {schedule.script.slug}
      </Text>
    </div>
  );
}
