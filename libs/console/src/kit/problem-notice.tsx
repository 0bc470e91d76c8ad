import { Alert, Anchor, Button, List, Text } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';
import { useState } from 'react';

import { basePath } from '../api/base.js';
import { Problem } from '../api/problem.js';

interface ProblemNoticeProps {
  error: unknown;
  title?: string;
  /** Reads again what could not be read. */
  onRetry?: () => Promise<unknown>;
}

/** What went wrong, in the service's own words, with the number to give to whoever runs it. */
export function ProblemNotice({ error, title, onRetry }: ProblemNoticeProps) {
  const problem = error instanceof Problem ? error : null;
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Text size="sm" className="user-text">
        {message} {hint(problem)}
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
      {problem?.code === 'second_factor_missing' && (
        <Anchor size="sm" underline="always" href={`${basePath}/account`}>
          Set up a second factor
        </Anchor>
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
      {onRetry && <RetryButton onRetry={onRetry} />}
    </Alert>
  );
}

function RetryButton({ onRetry }: Required<Pick<ProblemNoticeProps, 'onRetry'>>) {
  const [isBusy, setBusy] = useState(false);
  const again = (): void => {
    setBusy(true);
    void onRetry().finally(() => setBusy(false));
  };
  return (
    <Button size="compact-sm" variant="default" mt="xs" loading={isBusy} onClick={again}>
      Try again
    </Button>
  );
}

/** What to do about it, where the message alone does not say. */
function hint(problem: Problem | null): string | null {
  if (problem === null) return null;
  if (problem.status === 429) return `Try again ${soon(problem.retryAfterMs)}.`;
  if (problem.status === 503)
    return `Try again ${soon(problem.retryAfterMs)}. Nothing that you typed is lost.`;
  if (problem.status === 0) return 'Nothing that you typed is lost.';
  if (problem.status >= 500)
    return 'Try again. If it stays so, tell whoever runs this Gatehouse the number below.';
  return null;
}

function soon(ms: number | null): string {
  if (ms === null) return 'in a moment';
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds > 90) return `in ${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'in a second' : `in ${seconds} seconds`;
}
