import { Text } from '@mantine/core';

/** The HTTP status that came back, or that nothing did. */
export function LastStatus({ status }: { status: number | null }) {
  const accepted = status !== null && status >= 200 && status < 300;
  return (
    <Text span size="sm" ff="monospace" c={accepted ? undefined : 'var(--mantine-color-error)'}>
      {status ?? 'no response'}
    </Text>
  );
}
