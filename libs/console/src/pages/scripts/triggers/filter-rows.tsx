import { ActionIcon, Autocomplete, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import IconPlus from 'icon:plus';
import IconX from 'icon:x';

import type { FilterRow } from './trigger-draft.js';

interface FilterRowsProps {
  rows: FilterRow[];
  /** The paths that there are to choose from. */
  paths: string[];
  /** What happens without a condition. */
  everything?: string;
  onChange: (rows: FilterRow[]) => void;
  errorAt: (path: string) => string | undefined;
}

/** Which events fire the trigger: each path must have its value. */
export function FilterRows({
  rows,
  paths,
  everything = 'Every event of this type fires it.',
  onChange,
  errorAt,
}: FilterRowsProps) {
  const change = (id: number, fields: Partial<FilterRow>): void =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...fields } : row)));
  const add = (): void =>
    onChange([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, path: '', value: '' }]);
  return (
    <Stack gap="xs" role="group" aria-label="Filter">
      <div>
        <Text size="sm" fw={500}>
          Only when
        </Text>
        <Text size="xs" c="dimmed">
          {rows.length === 0
            ? everything
            : 'All of these must be so. Text may stand as it is; "5" in quotes is text, 5 a number.'}
        </Text>
      </div>
      {rows.map(({ id, path, value }) => (
        <Group key={id} gap="xs" align="flex-start" wrap="nowrap">
          <Autocomplete
            aria-label="Path in the data"
            placeholder={paths[0] ?? 'script.slug'}
            data={paths}
            value={path}
            onChange={(next) => change(id, { path: next })}
            error={errorAt(`filter.${path.trim()}`)}
            style={{ flex: 1, minWidth: 0 }}
          />
          <Text size="sm" lh="36px" aria-hidden>
            is
          </Text>
          <TextInput
            aria-label={`Value of ${path || 'the path'}`}
            placeholder="nightly-report"
            value={value}
            onChange={(event) => change(id, { value: event.currentTarget.value })}
            style={{ flex: 1, minWidth: 0 }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove the condition ${path}`}
            onClick={() => onChange(rows.filter((row) => row.id !== id))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={add}
        style={{ alignSelf: 'flex-start' }}
      >
        Add a condition
      </Button>
    </Stack>
  );
}
