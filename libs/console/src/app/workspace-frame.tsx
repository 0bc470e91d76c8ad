import './all-styles.js';

import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, getRouteApi, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import type { Place } from '../api/place.js';
import { newQueryClient } from '../api/query-client.js';
import { WithinMain } from '../kit/whole-page.js';
import { AccountMenu } from './account-menu.js';
import { ConnectionNotice } from './connection-notice.js';
import { LiveProvider } from './live.js';
import { MainNavigation } from './main-navigation.js';
import { PaletteButton } from './palette-button.js';
import { PlaceSwitch } from './place-switch.js';
import { usePlace } from './use-place.js';

const route = getRouteApi('/w/$workspace/$environment');

export function WorkspaceFrame() {
  const place = usePlace();
  return <Frame key={`${place.workspace}/${place.environment}`} place={place} />;
}

function Frame({ place }: { place: Place }) {
  const here = route.useRouteContext({ select: ({ queries }) => queries });
  // Only a page that is looked ahead to may have none.
  const [queries] = useState(() => here ?? newQueryClient());
  const [menuOpen, menu] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(menu.close, [path, menu.close]);

  return (
    <QueryClientProvider client={queries}>
      <LiveProvider place={place}>
        <AppShell
          header={{ height: 52 }}
          navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !menuOpen } }}
          padding={{ base: 'sm', sm: 'lg' }}
        >
          <AppShell.Header px="sm">
            <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
              <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
                <Burger
                  opened={menuOpen}
                  onClick={menu.toggle}
                  hiddenFrom="sm"
                  size="sm"
                  aria-label={menuOpen ? 'Close the menu' : 'Open the menu'}
                />
                <Text fw={700} visibleFrom="sm">
                  Gatehouse
                </Text>
                <PlaceSwitch />
              </Group>
              <Group gap="xs" wrap="nowrap">
                <PaletteButton />
                <AccountMenu />
              </Group>
            </Group>
          </AppShell.Header>
          <AppShell.Navbar p="xs" component="nav" aria-label="Main">
            <MainNavigation />
          </AppShell.Navbar>
          <AppShell.Main>
            <ConnectionNotice />
            <WithinMain value>
              <Outlet />
            </WithinMain>
          </AppShell.Main>
        </AppShell>
      </LiveProvider>
    </QueryClientProvider>
  );
}
