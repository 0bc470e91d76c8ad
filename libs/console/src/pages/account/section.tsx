import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, action, children }: SectionProps) {
  const id = useId();
  return (
    <Stack
      component="section"
      aria-labelledby={id}
      gap="sm"
      pt="lg"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <Group justify="space-between" align="flex-start" gap="xs">
        <div style={{ flex: '1 1 14rem' }}>
          <Title order={2} id={id}>
            {title}
          </Title>
          {description && (
            <Text size="sm" c="dimmed" mt={2}>
              {description}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Stack>
  );
}
