import { Skeleton, Stack } from '@mantine/core';

export function MarkdownSkeleton() {
  return (
    <Stack gap="xs" aria-hidden>
      <Skeleton height={20} width="40%" />
      <Skeleton height={14} />
      <Skeleton height={14} width="80%" />
    </Stack>
  );
}
