import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  /** By which an address leads to it. */
  id?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, id: ownId, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Stack component="section" id={ownId} gap="sm" aria-labelledby={id} style={{ scrollMarginTop: 64 }}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Title order={2} id={id}>
            {title}
          </Title>
          {description && (
            <Text size="sm" c="dimmed" component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
