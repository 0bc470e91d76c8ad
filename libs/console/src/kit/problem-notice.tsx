import { Alert, Anchor, Button, Text } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';
import { useState } from 'react';

import { basePath } from '../api/base.js';
import { Problem } from '../api/problem.js';
import { translated, useEntryWords } from './entry-words-context.js';
import type { EntryWords } from './entry-words.js';
import classes from './problem-notice.module.css';

interface ProblemNoticeProps {
  error: unknown;
  title?: string;
  /** Reads again what could not be read. */
  onRetry?: () => Promise<unknown>;
}

/** What went wrong, in the service's own words, with the number to give to whoever runs it. */
export function ProblemNotice({ error, title, onRetry }: ProblemNoticeProps) {
  const words = useEntryWords();
  const problem = error instanceof Problem ? error : null;
  const message = error instanceof Error ? translated(words, error.message) : words.somethingWrong;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Text size="sm" className="user-text">
        {message} {hint(problem, words)}
      </Text>
      {problem && problem.details.length > 0 && (
        <ul className={classes['details']}>
          {problem.details.map(({ path, message }, index) => (
            <li key={index} className="user-text" style={{ whiteSpace: 'pre-wrap' }}>
              {path && <code>{path}</code>} {translated(words, message)}
            </li>
          ))}
        </ul>
      )}
      {problem?.code === 'second_factor_missing' && (
        <Anchor size="sm" underline="always" href={`${basePath}/account`}>
          Set up a second factor
        </Anchor>
      )}
      {problem?.requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.request} <code>{problem.requestId}</code>
          {' · '}
          <Anchor
            size="xs"
            underline="always"
            href={`${basePath}/docs/errors#${problem.code}`}
            target="_blank"
            rel="noreferrer"
          >
            {words.meaningOf(problem.code)}
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
function hint(problem: Problem | null, words: EntryWords): string | null {
  if (problem === null) return null;
  if (problem.status === 429) return words.again(problem.retryAfterMs);
  if (problem.status === 503) return `${words.again(problem.retryAfterMs)} ${words.nothingLost}`;
  if (problem.status === 0) return words.nothingLost;
  return problem.status >= 500 ? words.tellWhoRunsIt : null;
}
