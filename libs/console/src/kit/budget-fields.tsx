import type { AgentBudget, AgentUsage } from '@gatehouse/client/operations';
import { Alert, Fieldset, Group, List, NumberInput, Stack, Text } from '@mantine/core';

import { LOCALE } from './locale.js';

const PERIODS = ['day', 'month'] as const;
const METERS = ['runs', 'messages', 'tokens', 'cost'] as const;
const PERIOD_LABELS = { day: 'A day', month: 'A month' } as const;
const METER_LABELS = { runs: 'Runs', messages: 'Messages', tokens: 'Tokens', cost: 'Cost' } as const;

export interface BudgetFieldsProps {
  label: string;
  value: AgentBudget | null;
  onChange: (budget: AgentBudget | null) => void;
  error?: string | undefined;
}

/** What may be used by day and month of UTC; what is empty is not limited. */
export function BudgetFields({ label, value, onChange, error }: BudgetFieldsProps) {
  const change = (per: (typeof PERIODS)[number], meter: (typeof METERS)[number], limit: unknown): void => {
    const { [meter]: _, ...others } = value?.[per] ?? {};
    const limits = typeof limit === 'number' ? { ...others, [meter]: limit } : others;
    const { [per]: __, ...rest } = value ?? {};
    const budget = Object.keys(limits).length > 0 ? { ...rest, [per]: limits } : rest;
    onChange(Object.keys(budget).length > 0 ? budget : null);
  };
  return (
    <Fieldset legend={label}>
      <Text size="sm" c="dimmed">
        What is left empty is not limited. Days and months are those of UTC.
      </Text>
      {PERIODS.map((per) => (
        <Group key={per} grow mt="xs" align="flex-end">
          {METERS.map((meter) => (
            <NumberInput
              key={meter}
              label={METER_LABELS[meter]}
              aria-label={`${METER_LABELS[meter]}, ${PERIOD_LABELS[per].toLowerCase()}`}
              description={PERIOD_LABELS[per]}
              min={0}
              allowDecimal={meter === 'cost'}
              hideControls
              value={value?.[per]?.[meter] ?? ''}
              onChange={(limit) => change(per, meter, limit)}
            />
          ))}
        </Group>
      ))}
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {error}
        </Text>
      )}
    </Fieldset>
  );
}

const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 4 });

/** What was used today and in this month, and which limits are near. */
export function AgentUsageText({ usage }: { usage: AgentUsage }) {
  return (
    <Stack gap={4}>
      {PERIODS.map((per) => {
        const { runs, messages, tokens, cost } = usage[per];
        const money = cost === null ? '' : `, ${number.format(cost)} ${usage.currency ?? ''}`;
        return (
          <Text key={per} size="sm" c="dimmed">
            {per === 'day' ? 'Today' : 'This month'} (UTC): {number.format(runs)} runs,{' '}
            {number.format(messages)} messages, {number.format(tokens)} tokens{money}
          </Text>
        );
      })}
      {usage.notices && (
        <Alert color="yellow" variant="light" title="Near a limit">
          <List size="sm">
            {usage.notices.map((notice) => (
              <List.Item key={notice}>{notice}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}
