import './all-styles.js';

import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, getRouteApi, useRouter, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useState } from 'react';

import type { Place } from '../api/place.js';
import { newQueryClient } from '../api/query-client.js';
import { WithinMain } from '../kit/whole-page.js';
import { AccountMenu } from './account-menu.js';
import { ConnectionNotice } from './connection-notice.js';
import { LiveProvider } from './live.js';
import { SettingsNavigation } from '../pages/settings/settings-navigation.js';
import { withinSettings } from '../pages/settings/sections.js';
import { MainNavigation } from './main-navigation.js';
import { SetNavigationAway } from './navigation-away.js';
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
  const [isAway, setAway] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(menu.close, [path, menu.close]);
  useFocusOnPage();
  const isInSettings = withinSettings(path) !== null;

  return (
    <QueryClientProvider client={queries}>
      <LiveProvider place={place}>
        <a className="skip-link" href="#main" onClick={toContent}>
          Skip to the content
        </a>
        <AppShell
          header={{ height: 52 }}
          navbar={{
            width: 216,
            breakpoint: 'sm',
            collapsed: { mobile: !menuOpen, desktop: isAway && !menuOpen },
          }}
          padding={{ base: 'sm', sm: 'lg' }}
        >
          <AppShell.Header px="sm" bg="var(--frame)">
            <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
              <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
                <Burger
                  opened={menuOpen}
                  onClick={menu.toggle}
                  hiddenFrom={isAway ? undefined : 'sm'}
                  size="sm"
                  aria-label={menuOpen ? 'Close the menu' : 'Open the menu'}
                />
                <Text fw={600} visibleFrom="sm">
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
          <AppShell.Navbar
            p="xs"
            bg="var(--frame)"
            style={{ visibility: isAway && !menuOpen ? 'hidden' : undefined }}
            component="nav"
            aria-label={isInSettings ? 'Settings' : 'Main'}
          >
            {isInSettings ? <SettingsNavigation /> : <MainNavigation />}
          </AppShell.Navbar>
          <AppShell.Main id="main" tabIndex={-1}>
            <ConnectionNotice />
            <WithinMain value>
              <SetNavigationAway value={setAway}>
                <Outlet />
              </SetNavigationAway>
            </WithinMain>
          </AppShell.Main>
        </AppShell>
      </LiveProvider>
    </QueryClientProvider>
  );
}

/** What had the focus may be gone with the page before: the keyboard goes on from the new one's beginning. */
function useFocusOnPage(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged && document.activeElement === document.body)
          document.getElementById('main')?.focus({ preventScroll: true });
      }),
    [router],
  );
}

/** The page's address stays as it is. */
function toContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
