import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { useUser } from '../../api/session.js';
import { Section } from '../../kit/section.js';

export function ProfileSection() {
  const { name, email, workspaces } = useUser();
  return (
    <Section title="You">
      <Text className="user-text">
        {name} · {email}
      </Text>
      {workspaces.length === 0 ? (
        <Text size="sm" c="dimmed">
          You are in no workspace yet.
        </Text>
      ) : (
        <List size="sm">
          {workspaces.map(({ slug, name: workspace, role }) => (
            <List.Item key={slug} className="user-text">
              <Anchor
                size="sm"
                underline="always"
                renderRoot={(props) => (
                  <Link
                    to="/w/$workspace/$environment/scripts"
                    params={{ workspace: slug, environment: DEFAULT_ENVIRONMENT }}
                    {...props}
                  />
                )}
              >
                {workspace}
              </Anchor>
              {` · ${role}`}
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}
