import { schedulesPreviewOptions } from '@gatehouse/client/react-query';
import { List, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { isProblem } from '../../../api/problem.js';
import { LOCALE } from '../../../kit/locale.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';

const PAUSE_MS = 300;

/** The next five times, as clocks in that time zone show them. */
export function NextTimes({ cron, timezone }: { cron: string; timezone: string }) {
  const [asked] = useDebouncedValue(cron.trim(), PAUSE_MS);
  const { data, error } = useQuery({
    ...schedulesPreviewOptions({ query: { cron: asked, timezone } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  if (asked === '') return null;
  if (error) {
    const told = isProblem(error) ? (error.at('cron') ?? error.at('timezone')) : undefined;
    if (told === undefined) return <ProblemNotice error={error} />;
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="status">
        {told}
      </Text>
    );
  }
  if (!data) return <Skeleton height={124} />;
  return (
    <Stack gap={4} aria-live="polite">
      <Text size="sm" fw={500}>
        The next times
      </Text>
      <List size="sm">
        {data.times.map((time) => (
          <List.Item key={time}>
            <time dateTime={time}>{timeText(time, timezone)}</time>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function timeText(time: string, timeZone: string): string {
  const format: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  };
  try {
    return new Intl.DateTimeFormat(LOCALE, { ...format, timeZone }).format(new Date(time));
  } catch {
    // The service may know a zone that this browser does not.
    return new Intl.DateTimeFormat(LOCALE, { ...format, timeZone: 'UTC' }).format(new Date(time));
  }
}
