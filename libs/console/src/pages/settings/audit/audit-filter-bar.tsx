import { Button, Group, Select, TextInput } from '@mantine/core';
import IconX from 'icon:x';
import { useNavigate } from '@tanstack/react-router';

import { useMembers } from '../../../app/use-people.js';
import { usePlace } from '../../../app/use-place.js';
import type { AuditAction, AuditFilters } from './audit-filters.js';
import { ACTIONS, ACTION_WORDS } from './audit-words.js';

const ACTION_OPTIONS = ACTIONS.map((action) => ({ value: action, label: sentence(ACTION_WORDS[action]) }));

interface AuditFilterBarProps {
  filters: AuditFilters;
  /** What `filters.target` is called, as far as an entry says it. */
  targetName: string | null;
}

export function AuditFilterBar({ filters, targetName }: AuditFilterBarProps) {
  const place = usePlace();
  const navigate = useNavigate();
  const members = useMembers();
  const people = members.map(({ userId, name }) => ({ value: userId, label: name }));
  const { actor } = filters;
  // Who did something may have left since.
  const isUnknown = actor !== undefined && members.length > 0 && !people.some(({ value }) => value === actor);
  const narrow = (change: Partial<Record<keyof AuditFilters, string | undefined>>): void =>
    void navigate({
      to: '/w/$workspace/$environment/settings/audit',
      params: place,
      search: { ...filters, ...change } as AuditFilters,
      // A date is typed in several steps.
      replace: change.since !== undefined || change.until !== undefined,
    });

  return (
    <Group gap="sm" align="flex-end" role="search" aria-label="Filter the audit log">
      <Select
        label="Action"
        placeholder="Every action"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Every action' }}
        w={{ base: '100%', xs: 260 }}
        data={ACTION_OPTIONS}
        value={filters.action ?? null}
        onChange={(action) => narrow({ action: (action as AuditAction | null) ?? undefined })}
      />
      <Select
        label="Person"
        placeholder="Everybody"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Everybody' }}
        w={{ base: '100%', xs: 200 }}
        data={isUnknown ? [...people, { value: actor, label: actor }] : people}
        value={actor ?? null}
        onChange={(next) => narrow({ actor: next ?? undefined })}
      />
      {(['since', 'until'] as const).map((end) => (
        <TextInput
          key={end}
          label={sentence(end)}
          type="date"
          w={{ base: '100%', xs: 160 }}
          value={filters[end] ?? ''}
          onChange={(event) => narrow({ [end]: event.currentTarget.value || undefined })}
        />
      ))}
      {filters.target && (
        <Button
          variant="light"
          color="gray"
          c="var(--mantine-color-text)"
          rightSection={<IconX size={14} aria-hidden />}
          maw="100%"
          className="user-text"
          title={filters.target}
          onClick={() => narrow({ target: undefined })}
        >
          {targetName === null ? 'Of one thing only' : `Of ${targetName} only`}
        </Button>
      )}
    </Group>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
