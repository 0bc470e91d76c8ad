import type { UsageMeter } from '@gatehouse/client/operations';
import { Box, Group, Progress, Text } from '@mantine/core';

import { Described } from '../../../kit/described.js';
import { METER_LABELS, amountText, shareUsed } from './meters.js';

const NEAR = 80;

/** A bar, and the same in words. */
export function Meter({ meter }: { meter: UsageMeter }) {
  const { id, used, limit, description } = meter;
  const label = METER_LABELS[id];
  const share = shareUsed(meter);
  const words =
    limit === null
      ? `${amountText(id, used)}, no limit`
      : `${amountText(id, used)} of ${amountText(id, limit)}`;
  return (
    <Box>
      <Group justify="space-between" gap="xs" align="baseline">
        <Text fw={600} size="sm">
          {label}
        </Text>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {words}
          {share !== null && share >= 100 && (
            <Text span fw={600} c="var(--mantine-color-error)">
              {' '}
              · reached
            </Text>
          )}
        </Text>
      </Group>
      {share !== null && (
        <Progress
          value={share}
          color={share >= 100 ? 'red' : share >= NEAR ? 'orange' : 'gate'}
          aria-label={`${label}: ${words}`}
          my={4}
        />
      )}
      <Text size="sm" c="dimmed">
        <Described text={description} />
      </Text>
    </Box>
  );
}
