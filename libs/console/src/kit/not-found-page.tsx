import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePageTitle } from './page-title.js';
import { WholePage } from './whole-page.js';

export function NotFoundPage() {
  usePageTitle('There is nothing here');
  return (
    <WholePage>
      <Stack>
        <Title order={1}>There is nothing here</Title>
        <Text>
          The address may be mistyped, what it named may be gone, or it belongs to a workspace that you are
          not a member of.
        </Text>
        <Group>
          <Button renderRoot={(props) => <Link to="/" {...props} />}>To your scripts</Button>
        </Group>
      </Stack>
    </WholePage>
  );
}
