import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import IconArrowLeft from 'icon:arrow-left';
import { useId } from 'react';

import { usePlace, useRights } from '../../app/use-place.js';
import { useSettingsPages } from './extensions/use-settings-pages.js';
import { SECTIONS, WITHIN_SETTINGS, sectionAt, withinSettings } from './sections.js';

interface Entry {
  label: string;
  /** Below the settings. */
  path: string;
}

/** Within the settings it stands in place of the main one. */
export function SettingsNavigation() {
  const place = usePlace();
  const rights = useRights();
  const heading = useId();
  const within = useRouterState({ select: ({ location }) => withinSettings(location.pathname) }) ?? '';
  const shown = sectionAt(within)?.path ?? within;
  const sections = SECTIONS.filter(({ isOffered }) => isOffered(rights));
  const pages = useSettingsPages().map(({ name, title }): Entry => ({
    label: title,
    path: `/extensions/${name}`,
  }));
  return (
    <>
      <NavLink
        label="All pages"
        c="dimmed"
        mb="xs"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        renderRoot={(props) => (
          <Link to="/w/$workspace/$environment" params={place} activeOptions={{ exact: true }} {...props} />
        )}
      />
      <Entries entries={sections} shown={shown} />
      {pages.length > 0 && (
        <Stack gap={2} mt="md" role="group" aria-labelledby={heading}>
          <Text id={heading} size="xs" fw={600} c="dimmed" px="sm">
            Extensions
          </Text>
          <Entries entries={pages} shown={shown} />
        </Stack>
      )}
    </>
  );
}

function Entries({ entries, shown }: { entries: readonly Entry[]; shown: string }) {
  const place = usePlace();
  return (
    <Stack gap={2}>
      {entries.map(({ label, path }) => (
        <NavLink
          key={path}
          label={label}
          active={path === shown}
          aria-current={path === shown ? 'page' : undefined}
          renderRoot={(props) => (
            <Link
              to={`${WITHIN_SETTINGS}${path}`}
              params={place}
              activeOptions={{ exact: path === '' }}
              {...props}
            />
          )}
        />
      ))}
    </Stack>
  );
}
