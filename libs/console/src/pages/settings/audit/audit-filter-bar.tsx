import { Group, Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';

import { useMembers } from '../../../app/use-people.js';
import { usePlace } from '../../../app/use-place.js';
import type { AuditAction, AuditFilters } from './audit-filters.js';
import { ACTIONS, ACTION_WORDS } from './audit-words.js';

const ACTION_OPTIONS = ACTIONS.map((action) => ({ value: action, label: sentence(ACTION_WORDS[action]) }));

export function AuditFilterBar({ filters }: { filters: AuditFilters }) {
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
      replace: change.since !== undefined,
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
      <TextInput
        label="Since"
        type="date"
        w={{ base: '100%', xs: 160 }}
        value={filters.since ?? ''}
        onChange={(event) => narrow({ since: event.currentTarget.value || undefined })}
      />
    </Group>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
