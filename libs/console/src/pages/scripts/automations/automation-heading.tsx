import type { Hook, Schedule, Trigger } from '@gatehouse/client/operations';
import { Alert, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { AuditLink } from '../../../app/audit-link.js';
import { PersonName } from '../person-name.js';

interface AutomationHeadingProps {
  automation: Schedule | Trigger | Hook;
  /** Beside its name: whether it is on. */
  children: ReactNode;
}

/** Above a schedule or trigger: whose runs it starts, and why the service switched it off if it did. */
export function AutomationHeading({ automation, children }: AutomationHeadingProps) {
  const { id, name, createdByUserId, disabledReason } = automation;
  return (
    <>
      <div>
        <Group gap="sm">
          <Title order={2} className="user-text">
            {name}
          </Title>
          {children}
          <AuditLink target={id} of={name} />
        </Group>
        <Text size="sm" c="dimmed">
          Its runs are started as <PersonName userId={createdByUserId} />.
        </Text>
      </div>
      {disabledReason && (
        <Alert color="yellow" title="The service switched it off">
          <Text size="sm" className="user-text">
            {disabledReason}
          </Text>
        </Alert>
      )}
    </>
  );
}
