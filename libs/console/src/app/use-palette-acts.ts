import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';

import { DEFAULT_ENVIRONMENT } from '../api/place.js';
import { useUser } from '../api/session.js';
import { signOut } from './sign-out.js';
import { usePlace, useRights } from './use-place.js';

/** What can be done from everywhere. */
export function usePaletteActs(onKeys: () => void): SpotlightActionData[] {
  const { workspaces } = useUser();
  const place = usePlace();
  const navigate = useNavigate();
  const { edits } = useRights();
  const { setColorScheme } = useMantineColorScheme();
  return [
    ...(edits
      ? [
          {
            id: 'new script',
            label: 'New script',
            onClick: () => void navigate({ to: '/w/$workspace/$environment/scripts/new', params: place }),
          },
        ]
      : []),
    {
      id: 'new token',
      label: 'New personal token',
      onClick: () => void navigate({ to: '/account/tokens/new' }),
    },
    ...workspaces
      .filter(({ slug }) => slug !== place.workspace)
      .map(({ slug, name }) => ({
        id: `workspace ${slug}`,
        label: `Go to the workspace ${name}`,
        onClick: () =>
          void navigate({
            to: '/w/$workspace/$environment/scripts',
            params: { workspace: slug, environment: DEFAULT_ENVIRONMENT },
          }),
      })),
    { id: 'light', label: 'Light colours', keywords: 'theme', onClick: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark colours', keywords: 'theme', onClick: () => setColorScheme('dark') },
    { id: 'auto', label: 'Colours as the system', keywords: 'theme', onClick: () => setColorScheme('auto') },
    { id: 'keys', label: 'Keys', keywords: 'keyboard shortcuts switch off', onClick: onKeys },
    { id: 'sign out', label: 'Sign out', keywords: 'log out', onClick: () => void signOut() },
  ];
}
