import { Box, Flex, NavLink, Select, Stack } from '@mantine/core';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';

import { usePlace, useRights } from '../../app/use-place.js';
import { Empty } from '../../kit/empty.js';
import { SECTIONS, sectionAt } from './sections.js';

const WITHIN = '/w/$workspace/$environment/settings';

export function SettingsFrame() {
  const place = usePlace();
  const rights = useRights();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = sectionAt(path.slice(path.indexOf('/settings') + '/settings'.length));
  const sections = SECTIONS.filter(({ isOffered }) => isOffered(rights));

  if (current && !current.isOffered(rights)) {
    return (
      <Empty title="This part is not open to you">
        Your role here is {rights.role}. An owner or admin of this workspace can give you another.
      </Empty>
    );
  }
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} gap={{ base: 'md', sm: 'xl' }} align="stretch">
      <Select
        hiddenFrom="sm"
        label="Section"
        data={sections.map(({ label }) => label)}
        value={current?.label ?? null}
        allowDeselect={false}
        onChange={(label) => {
          const to = sections.find((section) => section.label === label);
          if (to) void navigate({ to: `${WITHIN}${to.path}`, params: place });
        }}
      />
      <Box component="nav" aria-label="Settings" visibleFrom="sm" w={168} style={{ flexShrink: 0 }}>
        <Stack gap={2}>
          {sections.map(({ label, path }) => (
            <NavLink
              key={label}
              label={label}
              active={label === current?.label}
              aria-current={label === current?.label ? 'page' : undefined}
              renderRoot={(props) => (
                <Link
                  to={`${WITHIN}${path}`}
                  params={place}
                  activeOptions={{ exact: path === '' }}
                  {...props}
                />
              )}
            />
          ))}
        </Stack>
      </Box>
      <Box style={{ flex: 1, minWidth: 0, maxWidth: '60rem' }}>
        <Outlet />
      </Box>
    </Flex>
  );
}
