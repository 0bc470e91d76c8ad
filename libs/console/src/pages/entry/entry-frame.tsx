import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { usePageTitle } from '../../kit/page.js';

/** The pages before one is in: a single card in the middle. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Text fw={700} ta="center" c="dimmed">
          Gatehouse
        </Text>
        <Paper withBorder p="xl" radius="md">
          <Stack>
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
