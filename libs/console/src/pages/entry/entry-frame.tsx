import { Center, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { Brand } from '../../kit/brand.js';
import { usePageTitle } from '../../kit/page.js';

/** The pages before one is in: a single card in the middle. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <Center component="main" mih="100dvh" px="md" py="xl">
      <Stack w="100%" maw={400} gap="lg">
        <Center>
          <Brand />
        </Center>
        <Paper withBorder p={{ base: 'lg', sm: 'xl' }} radius="md">
          <Stack>
            <Title order={1} className="user-text">
              {title}
            </Title>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
