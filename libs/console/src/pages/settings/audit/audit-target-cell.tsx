import type { AuditEvent } from '@gatehouse/client/operations';
import { ActionIcon, Anchor, CopyButton, Group, Text } from '@mantine/core';
import IconCheck from 'icon:check';
import IconCopy from 'icon:copy';
import IconFilter from 'icon:filter';
import { Link, useNavigate } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { type AuditFilters, canBeTarget } from './audit-filters.js';
import { targetOf } from './audit-target.js';

/** What was changed, by its name where that is known, with a link where a page shows it. */
export function AuditTargetCell({ event, filters }: { event: AuditEvent; filters: AuditFilters }) {
  const place = usePlace();
  const navigate = useNavigate();
  const target = targetOf(event, place);
  if (!target || !event.target) return null;
  const { kind, name, link } = target;
  const { id } = event.target;
  const text = name ?? id;
  const ofThis = (): void =>
    void navigate({
      to: '/w/$workspace/$environment/settings/audit',
      params: place,
      search: { ...filters, target: id },
    });
  return (
    <Group gap={4} wrap="nowrap" justify="space-between" miw={{ base: 0, md: 240 }}>
      <div style={{ minWidth: 0 }}>
        <Text
          size="sm"
          component="div"
          className="user-text"
          ff={name === null ? 'monospace' : undefined}
          fz={name === null ? 'xs' : undefined}
          style={{ overflowWrap: 'anywhere' }}
        >
          {link ? (
            <Anchor inherit renderRoot={(props) => <Link {...link} {...props} />}>
              {text}
            </Anchor>
          ) : (
            text
          )}
        </Text>
        <Text size="xs" c="dimmed">
          {kind}
        </Text>
      </div>
      <Group gap={2} wrap="nowrap">
        <CopyButton value={id}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              title={copied ? 'Copied' : `Copy its id, ${id}`}
              aria-label={`Copy the id of ${text}`}
              onClick={copy}
            >
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </ActionIcon>
          )}
        </CopyButton>
        {canBeTarget(id) && filters.target !== id && (
          <ActionIcon
            variant="subtle"
            color="gray"
            title="Only what was done to it"
            aria-label={`Only what was done to ${text}`}
            onClick={ofThis}
          >
            <IconFilter size={14} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </Group>
  );
}
