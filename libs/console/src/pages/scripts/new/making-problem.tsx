import { Stack, Text } from '@mantine/core';

import { Problem } from '../../../api/problem.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import classes from './new.module.css';

const LONG = 300;

/** Why no version could be made; the end of what an installation printed is shown as it was printed. */
export function MakingProblem({ error }: { error: unknown }) {
  if (!(error instanceof Problem)) return <ProblemNotice error={error} />;
  const logs = error.details.filter(({ message }) => message.length > LONG || message.includes('\n'));
  const details = error.details.filter((detail) => !logs.includes(detail));
  const { message, status, code, requestId, retryAfterMs } = error;
  return (
    <Stack gap="xs">
      <ProblemNotice error={new Problem({ message, status, code, requestId, retryAfterMs, details })} />
      {logs.map(({ message: log }, index) => (
        <div key={index}>
          <Text size="sm" fw={600} mb={4}>
            What was printed
          </Text>
          <pre
            className={`${classes['log']} user-text`}
            tabIndex={0}
            aria-label="What the installation printed"
          >
            {log}
          </pre>
        </div>
      ))}
    </Stack>
  );
}
