import { Box } from '@mantine/core';
import { Outlet, useRouterState } from '@tanstack/react-router';

import { useRights } from '../../app/use-place.js';
import { Empty } from '../../kit/empty.js';
import { sectionAt, withinSettings } from './sections.js';

export function SettingsFrame() {
  const rights = useRights();
  const current = useRouterState({
    select: ({ location }) => sectionAt(withinSettings(location.pathname) ?? ''),
  });
  if (current && !current.isOffered(rights)) {
    return (
      <Empty title="This part is not open to you">
        Your role here is {rights.role}. An owner or admin of this workspace can give you another.
      </Empty>
    );
  }
  return (
    <Box maw="64rem">
      <Outlet />
    </Box>
  );
}
