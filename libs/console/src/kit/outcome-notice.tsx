import { Alert, List, Text } from '@mantine/core';

import type { Outcome } from './act-on-each.js';
import { counted } from './counted.js';

interface OutcomeNoticeProps {
  /** What was done: `3 runs cancelled`. */
  text: string;
  /** What they are: `run`. */
  noun: string;
  outcome: Outcome;
  onClose: () => void;
}

/** What became of an act on several things: how many it was done to, and which were refused and why. */
export function OutcomeNotice({ text, noun, outcome, onClose }: OutcomeNoticeProps) {
  const isWhole = outcome.refused.length === 0;
  return (
    <Alert
      color={isWhole ? 'teal' : 'red'}
      variant="light"
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
    >
      <Text size="sm">
        {text}
        {!isWhole && `, ${counted(outcome.refused.length, noun)} refused:`}
      </Text>
      {!isWhole && (
        <List size="sm">
          {outcome.refused.map(({ name, reason }, index) => (
            <List.Item key={index} className="user-text">
              {name}: {reason}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
