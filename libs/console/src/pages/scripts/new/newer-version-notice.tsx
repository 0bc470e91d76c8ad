import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';

import { ProblemNotice } from '../../../kit/problem-notice.js';
import { VersionDifference } from '../versions/version-difference.js';
import type { NewerVersion } from './use-newer-version.js';

interface NewerVersionNoticeProps {
  newer: NewerVersion & { number: number };
  /** The version that the draft was made of. */
  base: number;
  /** Publishing over it was refused, so its difference is shown at once. */
  refused: boolean;
}

/** Somebody else has published meanwhile: their change is taken in, or published over knowingly. */
export function NewerVersionNotice({ newer, base, refused }: NewerVersionNoticeProps) {
  const { number, busy, problem } = newer;
  const [asked, setAsked] = useState<boolean | null>(null);
  const isOpen = asked ?? refused;
  if (number === 0) {
    return (
      <Alert
        color="yellow"
        variant="light"
        role="region"
        aria-live="polite"
        title="It was unpublished meanwhile"
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">Runs can be started again once you publish your draft.</Text>
          <Button size="compact-sm" variant="default" onClick={newer.goOn}>
            Go on
          </Button>
        </Stack>
      </Alert>
    );
  }
  return (
    <Alert
      color="yellow"
      variant="light"
      role="region"
      aria-live="polite"
      title={`Version ${number} was published meanwhile`}
    >
      <Stack gap="xs">
        <Text size="sm">
          {refused && 'Your draft was not published. '}It was made of version {base}, so publishing it takes
          back what version {number} changed, unless you take that in.
        </Text>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpen}
            onClick={() => setAsked(!isOpen)}
          >
            {isOpen ? 'Hide what it changes' : 'Show what it changes'}
          </Button>
          <Button size="compact-sm" loading={busy} onClick={newer.takeIn}>
            Take it in
          </Button>
          <Button size="compact-sm" variant="default" disabled={busy} onClick={newer.goOn}>
            Go on without it
          </Button>
        </Group>
        {problem !== null && <ProblemNotice error={problem} />}
        {isOpen && (
          <>
            <Title order={2} fz="sm">
              What version {number} changes
            </Title>
            <VersionDifference slug={newer.slug} from={base} to={number} />
          </>
        )}
      </Stack>
    </Alert>
  );
}

/** What taking a version in has left to be looked at. */
export function TakenInNotice({ marked, kept }: NonNullable<NewerVersion['taken']>) {
  if (marked.length + kept.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="status" title="You both changed the same places">
      {marked.length > 0 && (
        <Text size="sm" className="user-text">
          Both stand in {marked.join(', ')}, between {'<<<<<<<'} and {'>>>>>>>'}: choose there before you
          publish.
        </Text>
      )}
      {kept.length > 0 && (
        <Text size="sm" className="user-text">
          Kept as in your draft: {kept.join(', ')}.
        </Text>
      )}
    </Alert>
  );
}
