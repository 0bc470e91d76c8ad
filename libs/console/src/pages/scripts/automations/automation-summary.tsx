import type { Hook, Schedule, Trigger } from '@gatehouse/client/operations';
import { Anchor, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

interface AutomationSummaryProps {
  automation: Schedule | Trigger | Hook;
  /** The link to its page, given what the name looks like. */
  renderLink: (props: Record<string, unknown>) => ReactElement;
  /** When it starts runs. */
  children: ReactNode;
}

/** A schedule or trigger in a list. */
export function AutomationSummary({ automation, renderLink, children }: AutomationSummaryProps) {
  const { name, disabledReason } = automation;
  return (
    <>
      <Anchor fw={600} size="sm" className="user-text" renderRoot={renderLink}>
        {name}
      </Anchor>
      <Text size="sm" c="dimmed" className="user-text">
        {children}
      </Text>
      {disabledReason && (
        <Text size="sm" className="user-text">
          Switched off by the service: {disabledReason}
        </Text>
      )}
    </>
  );
}
