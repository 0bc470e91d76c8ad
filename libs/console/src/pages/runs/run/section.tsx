import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
