import { Button, Group, Menu, Text } from '@mantine/core';
import IconChevronDown from 'icon:chevron-down';
import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useMatches, useNavigate } from '@tanstack/react-router';

import { DEFAULT_ENVIRONMENT, type Place } from '../api/place.js';
import { useUser } from '../api/session.js';
import { environmentsQuery } from './place-queries.js';
import { usePlace, useRights, useWorkspace } from './use-place.js';

const WITHIN = '/w/$workspace/$environment';

/** In another environment one stays where one is; in another workspace on the page of the same kind. */
function samePage(page: string, place: Place, isSameWorkspace: boolean): NavigateOptions {
  if (isSameWorkspace) {
    const params = (before: object) => ({ ...before, ...place });
    return { to: '.', params, search: true } as NavigateOptions;
  }
  const below = page.slice(WITHIN.length);
  // A script or a run of one workspace is not in the other.
  const isOfThing = below.includes('$');
  const to = `${WITHIN}${isOfThing ? `/${below.split('/')[1]!}` : below}`;
  return { to, params: place } as NavigateOptions;
}

/** Which workspace and which environment; the page of the same name there is opened. */
export function PlaceSwitch() {
  const user = useUser();
  const place = usePlace();
  const workspace = useWorkspace();
  const { edits } = useRights();
  const navigate = useNavigate();
  const { data } = useQuery({ ...environmentsQuery(), enabled: edits });
  const environments = data?.items ?? [];
  const current = environments.find(({ name, isDefault }) =>
    place.environment === DEFAULT_ENVIRONMENT ? isDefault : name === place.environment,
  );
  const page = useMatches({ select: (matches): string => matches.at(-1)?.fullPath ?? WITHIN });
  const go = (to: Place): void => void navigate(samePage(page, to, to.workspace === place.workspace));

  return (
    <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            size="compact-md"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={`Workspace ${workspace.name}; switch`}
            styles={{ root: { minWidth: 0 }, label: { maxWidth: '11rem' } }}
          >
            <Text span truncate className="user-text" fw={600} size="sm">
              {workspace.name}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Workspaces</Menu.Label>
          {user.workspaces.map(({ slug, name }) => (
            <Menu.Item
              key={slug}
              fw={slug === place.workspace ? 600 : undefined}
              onClick={() => go({ workspace: slug, environment: DEFAULT_ENVIRONMENT })}
            >
              <span className="user-text">{name}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {edits && environments.length > 0 && (
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <Button
              variant="light"
              color="gray"
              c="var(--mantine-color-text)"
              size="compact-sm"
              rightSection={<IconChevronDown size={14} aria-hidden />}
              aria-label={`Environment ${current?.name ?? place.environment}; switch`}
              styles={{ root: { minWidth: '3.5rem' } }}
            >
              <Text span truncate size="sm">
                {current?.name ?? place.environment}
              </Text>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Environments</Menu.Label>
            {environments.map(({ id, name, isDefault }) => (
              <Menu.Item
                key={id}
                fw={name === current?.name ? 600 : undefined}
                onClick={() => go({ ...place, environment: isDefault ? DEFAULT_ENVIRONMENT : name })}
              >
                {name}
                {isDefault && ' (default)'}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
