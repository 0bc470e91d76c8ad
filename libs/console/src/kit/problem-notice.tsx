import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

import { basePath } from '../api/base.js';
import { Problem } from '../api/problem.js';

/** What went wrong, in the service's own words, with the number to give to whoever runs it. */
export function ProblemNotice({ error, title }: { error: unknown; title?: string }) {
  const problem = error instanceof Problem ? error : null;
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      role="alert"
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <Text size="sm" className="user-text">
        {message}
        {hint(problem) && ` ${hint(problem)}`}
      </Text>
      {problem && problem.details.length > 0 && (
        <List size="sm" mt={4}>
          {problem.details.map(({ path, message }, index) => (
            <List.Item key={index} className="user-text" style={{ whiteSpace: 'pre-wrap' }}>
              {path && <code>{path}</code>} {message}
            </List.Item>
          ))}
        </List>
      )}
      {problem?.requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          Request <code>{problem.requestId}</code>
          {' · '}
          <Anchor
            size="xs"
            underline="always"
            href={`${basePath}/docs/errors#${problem.code}`}
            target="_blank"
            rel="noreferrer"
          >
            what {problem.code} means
          </Anchor>
        </Text>
      )}
    </Alert>
  );
}

/** What to do about it, where the message alone does not say. */
function hint(problem: Problem | null): string | null {
  if (problem?.status === 429 && problem.retryAfterMs !== null) {
    return `Try again in ${Math.ceil(problem.retryAfterMs / 1000)} seconds.`;
  }
  if (problem?.status === 503) return 'Try again in a moment.';
  if (problem?.status === 403) return 'An owner or admin of this workspace can change what you may do.';
  return null;
}
