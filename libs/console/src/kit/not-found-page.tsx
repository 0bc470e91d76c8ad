import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function NotFoundPage() {
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <Title order={1}>There is nothing here</Title>
        <Text>
          The address may be mistyped, what it named may be gone, or it belongs to a workspace that you are
          not a member of.
        </Text>
        <Button component={Link} to="/">
          To your scripts
        </Button>
      </Stack>
    </Container>
  );
}
