import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { useRights } from '../../../app/use-place.js';
import { counted } from '../../../kit/counted.js';
import { Moment } from '../../../kit/moment.js';
import { useScript } from '../script-context.js';
import { SuccessRate } from '../success-rate.js';
import { Activity } from './activity.js';
import { UsedBy } from './used-by.js';

const INTERFACES = {
  app: 'the console',
  api: 'the API',
  cli: 'the command line',
  mcp: 'agents',
  schedule: 'schedules',
  trigger: 'triggers',
  hook: 'hooks',
} as const;

/** Who and what uses the script; to whom its insights are not open, how it fares as well. */
export function UsageTab() {
  const { edits } = useRights();
  return (
    <Stack>
      <Totals />
      {!edits && <Activity />}
      <UsedBy />
    </Stack>
  );
}

function Totals() {
  const { stats } = useScript();
  const from = Object.entries(INTERFACES)
    .map(([key, label]) => ({ label, runs: stats.interfaces[key as keyof typeof INTERFACES] }))
    .filter(({ runs }) => runs > 0)
    .sort((a, b) => b.runs - a.runs);
  return (
    <Group gap="xl" align="flex-start">
      <Total label="Succeeded, 30 days">
        <SuccessRate rate={stats.successRate} runs={stats.runs30d} />
      </Total>
      <Total label="People, 30 days">{stats.people30d}</Total>
      <Total label="Last run">{stats.lastRunAt ? <Moment at={stats.lastRunAt} /> : 'never'}</Total>
      {from.length > 0 && (
        <Total label="Started through">
          {from.map(({ label, runs }) => `${label} (${counted(runs, 'run')})`).join(', ')}
        </Total>
      )}
    </Group>
  );
}

function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}
