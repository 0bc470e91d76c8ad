import { Button, Stack } from '@mantine/core';

import { Problem } from '../../api/problem.js';
import { Empty } from '../../kit/empty.js';
import { OutcomeNotice } from '../../kit/outcome-notice.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { Section } from '../../kit/section.js';

const PROBLEM = new Problem({
  status: 409,
  code: 'conflict',
  message: 'This workspace has a queue imports already.',
  details: [{ path: 'name', message: 'is taken' }],
  requestId: 'req_01m8',
  retryAfterMs: null,
});
const nothing = (): void => undefined;

export function Notices() {
  return (
    <Section title="Notices" description="ProblemNotice, OutcomeNotice, Empty.">
      <Stack>
        <ProblemNotice error={PROBLEM} onRetry={() => Promise.resolve()} />
        <OutcomeNotice
          text="3 runs cancelled"
          noun="run"
          outcome={{ done: 3, refused: [{ name: 'letters (run_01m8)', reason: 'It has ended already.' }] }}
          onClose={nothing}
        />
        <Empty title="Nothing has run yet" action={<Button>To the scripts</Button>}>
          Why there is nothing, and what to do next.
        </Empty>
      </Stack>
    </Section>
  );
}
