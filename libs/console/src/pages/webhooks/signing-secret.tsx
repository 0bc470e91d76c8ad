import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Suspense } from 'react';

import { lazily } from '../../kit/lazily.js';
import { ShownOnce } from '../../kit/shown-once.js';

const VerificationSnippets = lazily(() => import('./verification/verification-snippets.js'));

/** A new secret, this one time, and what to do with it. */
export function SigningSecret({ secret, onKept }: { secret: string; onKept: () => void }) {
  return (
    <Stack>
      <ShownOnce value={secret} name="signing secret" />
      <Text size="sm">
        With it your service checks that a request comes from here. Give it the secret as{' '}
        <code>WEBHOOK_SECRET</code>, and check each request like this:
      </Text>
      <Suspense fallback={<Skeleton height={320} />}>
        <VerificationSnippets />
      </Suspense>
      <Group justify="flex-end">
        <Button onClick={onKept}>I have kept the secret</Button>
      </Group>
    </Stack>
  );
}
