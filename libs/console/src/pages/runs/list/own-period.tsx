import { Button } from '@mantine/core';
import IconX from 'icon:x';

import { LOCALE } from '../../../kit/locale.js';
import { ageOf } from './run-list-search.js';

interface OwnPeriodProps {
  since: string | undefined;
  until: string | undefined;
  /** What happened in it: `Asked`. */
  verb: string;
  onClear: () => void;
}

const moment = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** A period that a chart has led to. One that the list of ages has is shown there. */
export function OwnPeriod({ since, until, verb, onClear }: OwnPeriodProps) {
  const from = ageOf(since) === null ? since : undefined;
  if (from === undefined && until === undefined) return null;
  const text = [
    from !== undefined && `from ${moment.format(new Date(from))}`,
    until !== undefined && `until ${moment.format(new Date(until))}`,
  ]
    .filter((part) => part !== false)
    .join(' ');
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`Without the period: ${verb} ${text}`}
      rightSection={<IconX size={12} aria-hidden />}
      onClick={onClear}
    >
      {`${verb} ${text}`}
    </Button>
  );
}
