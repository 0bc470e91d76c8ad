import { Box, Flex, NavLink, Select, Stack, Text } from '@mantine/core';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useId } from 'react';

import { usePlace, useRights } from '../../app/use-place.js';
import { Empty } from '../../kit/empty.js';
import { useSettingsPages } from './extensions/use-settings-pages.js';
import { SECTIONS, sectionAt } from './sections.js';

const WITHIN = '/w/$workspace/$environment/settings';
const OF_EXTENSIONS = '/extensions/';

interface Entry {
  label: string;
  /** Below the settings. */
  path: string;
}

export function SettingsFrame() {
  const place = usePlace();
  const rights = useRights();
  const navigate = useNavigate();
  const heading = useId();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const within = path.slice(path.indexOf('/settings') + '/settings'.length);
  const current = sectionAt(within);
  const sections: Entry[] = SECTIONS.filter(({ isOffered }) => isOffered(rights));
  const pages = useSettingsPages().map(({ name, title }): Entry => ({
    label: title,
    path: `${OF_EXTENSIONS}${name}`,
  }));
  const shown = current?.path ?? within;

  if (current && !current.isOffered(rights)) {
    return (
      <Empty title="This part is not open to you">
        Your role here is {rights.role}. An owner or admin of this workspace can give you another.
      </Empty>
    );
  }
  const choices = (entries: Entry[]) => entries.map(({ label, path }) => ({ label, value: path }));
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} gap={{ base: 'md', sm: 'xl' }} align="stretch">
      <Select
        hiddenFrom="sm"
        label="Section"
        data={
          pages.length === 0
            ? choices(sections)
            : [...choices(sections), { group: 'Extensions', items: choices(pages) }]
        }
        value={shown}
        allowDeselect={false}
        onChange={(to) => {
          if (to !== null) void navigate({ to: `${WITHIN}${to}`, params: place });
        }}
      />
      <Box component="nav" aria-label="Settings" visibleFrom="sm" w={168} style={{ flexShrink: 0 }}>
        <Stack gap={2}>
          {sections.map((entry) => (
            <EntryLink key={entry.path} entry={entry} isCurrent={entry.path === shown} />
          ))}
        </Stack>
        {pages.length > 0 && (
          <Stack gap={2} mt="md" role="group" aria-labelledby={heading}>
            <Text id={heading} size="xs" fw={600} c="dimmed" px="sm">
              Extensions
            </Text>
            {pages.map((entry) => (
              <EntryLink key={entry.path} entry={entry} isCurrent={entry.path === shown} />
            ))}
          </Stack>
        )}
      </Box>
      <Box style={{ flex: 1, minWidth: 0, maxWidth: '60rem' }}>
        <Outlet />
      </Box>
    </Flex>
  );
}

function EntryLink({ entry: { label, path }, isCurrent }: { entry: Entry; isCurrent: boolean }) {
  const place = usePlace();
  return (
    <NavLink
      label={label}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      renderRoot={(props) => (
        <Link to={`${WITHIN}${path}`} params={place} activeOptions={{ exact: path === '' }} {...props} />
      )}
    />
  );
}
