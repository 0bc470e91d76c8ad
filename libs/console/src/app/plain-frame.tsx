import './all-styles.js';

import { Box, Container, Group } from '@mantine/core';
import type { ReactNode } from 'react';

import { Brand } from '../kit/brand.js';
import { WithinMain } from '../kit/whole-page.js';
import { AccountMenu } from './account-menu.js';

/** A page of one column, outside of a workspace's navigation, with a way back. */
export function PlainFrame({ back, children }: { back: ReactNode; children: ReactNode }) {
  return (
    <>
      <Box
        component="header"
        px="sm"
        style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
      >
        <Group h={52} justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="md" wrap="nowrap" style={{ minWidth: 0 }}>
            <Brand />
            {back}
          </Group>
          <AccountMenu />
        </Group>
      </Box>
      <Container component="main" size={760} px={{ base: 'sm', sm: 'lg' }} py="lg">
        <WithinMain value>{children}</WithinMain>
      </Container>
    </>
  );
}
