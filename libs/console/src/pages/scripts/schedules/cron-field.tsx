import { Button, Group, Stack, Text, TextInput } from '@mantine/core';

import { cronAloud } from './cron-aloud.js';

const COMMON: [label: string, cron: string][] = [
  ['Every hour', '0 * * * *'],
  ['Every day', '0 9 * * *'],
  ['Workdays', '0 9 * * mon-fri'],
  ['Every week', '0 9 * * mon'],
  ['Every month', '0 9 1 * *'],
];

interface CronFieldProps {
  value: string;
  onChange: (cron: string) => void;
  error?: string | undefined;
}

export function CronField({ value, onChange, error }: CronFieldProps) {
  const words = cronAloud(value);
  return (
    <Stack gap={6}>
      <TextInput
        label="When"
        description="Minute, hour, day of the month, month and weekday, or one of @hourly, @daily, @weekly, @monthly"
        required
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Text size="sm" aria-live="polite" mih={20} fw={500}>
        {words}
      </Text>
      <Group gap={6} role="group" aria-label="Common times">
        {COMMON.map(([label, cron]) => (
          <Button
            key={cron}
            size="compact-xs"
            variant={cron === value.trim() ? 'light' : 'default'}
            aria-pressed={cron === value.trim()}
            onClick={() => onChange(cron)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
