import { Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import IconCalendar from 'icon:calendar';
import { type FormEvent, useState } from 'react';

import { localMinute } from '../../../kit/local-minute.js';

interface Period {
  since: string | undefined;
  until: string | undefined;
}

interface PeriodPopoverProps extends Period {
  label: string;
  onPeriod: (period: Period) => void;
}

/** From one moment to another; either may be left open. */
export function PeriodPopover({ label, since, until, onPeriod }: PeriodPopoverProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCalendar size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          From – to
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <PeriodForm
          since={since}
          until={until}
          onPeriod={(period) => {
            setOpened(false);
            onPeriod(period);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function PeriodForm({ since, until, onPeriod }: Omit<PeriodPopoverProps, 'label'>) {
  const [from, setFrom] = useState(since === undefined ? '' : localMinute(Date.parse(since)));
  const [to, setTo] = useState(until === undefined ? '' : localMinute(Date.parse(until)));
  const isBackwards = from !== '' && to !== '' && from >= to;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBackwards) onPeriod({ since: momentOfInput(from), until: momentOfInput(to) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="From"
          type="datetime-local"
          size="xs"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          label="To"
          type="datetime-local"
          size="xs"
          value={to}
          error={isBackwards && 'It must be later than the beginning.'}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" size="xs" disabled={isBackwards || (from === '' && to === '')}>
            Show
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function momentOfInput(text: string): string | undefined {
  return text === '' ? undefined : new Date(text).toISOString();
}
