import { Group, Progress, Stack, Text } from '@mantine/core';

export interface RunProgressProps {
  /** From 0 to 1; null where the script does not say. */
  progress: number | null;
  message: string | null;
}

/** How far the script says that it is. */
export function RunProgress({ progress, message }: RunProgressProps) {
  if (progress === null && !message) return null;
  const percent = progress === null ? null : Math.round(progress * 100);
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" className="user-text">
          {message ?? 'Progress'}
        </Text>
        {percent !== null && <Text size="sm">{percent} %</Text>}
      </Group>
      {percent !== null && <Progress value={percent} aria-label="Progress" />}
    </Stack>
  );
}
