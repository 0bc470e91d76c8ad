import { Text } from '@mantine/core';

import { detailsOf } from './audit-details.js';

interface AuditDetailsProps {
  details: Record<string, unknown>;
  /** What it is of, which stands beside it. */
  name: string | null;
}

/** What else is known of an entry, in a line. Values are people's: they are shown as they are. */
export function AuditDetails({ details, name: shown }: AuditDetailsProps) {
  const known = detailsOf(details).filter(({ value }) => value !== shown);
  if (known.length === 0) return null;
  return (
    <Text size="xs" className="user-text">
      {known.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && ' · '}
          <Text span inherit c="dimmed">
            {name}
          </Text>{' '}
          {value}
        </span>
      ))}
    </Text>
  );
}
