import { Anchor, List, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Section } from '../../../kit/section.js';
import { secretUsesOptions, usageOf } from './secret-uses.js';

export function SecretUses({ name }: { name: string }) {
  const place = usePlace();
  const { data: uses, isPending, error, refetch } = useQuery(secretUsesOptions(name));
  return (
    <Section title="Where it is used" description="By the published versions of the scripts that you see.">
      {isPending && <Skeleton height={24} aria-hidden />}
      {error && <ProblemNotice error={error} onRetry={refetch} />}
      {uses?.length === 0 && (
        <Text size="sm">
          No published version uses it. A script names the secrets that it needs when a version is uploaded.
        </Text>
      )}
      {uses && uses.length > 0 && (
        <List size="sm" spacing="xs">
          {uses.map((use) => (
            <List.Item key={use.script.slug}>
              <Anchor
                size="sm"
                fw={600}
                className="user-text"
                renderRoot={(props) => (
                  <Link
                    to="/w/$workspace/$environment/scripts/$slug"
                    params={{ ...place, slug: use.script.slug }}
                    {...props}
                  />
                )}
              >
                {use.script.name}
              </Anchor>{' '}
              (version {use.version}) <span className="user-text">{usageOf(use)}</span>
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}
