import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  Input,
  MultiSelect,
  Paper,
  Stack,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import type { SecretRow } from './draft.js';
import classes from './new.module.css';

interface SecretRowsProps {
  rows: SecretRow[];
  /** The draft's hosts, of which each secret may go to some. */
  hosts: string[];
  /** Secrets of the workspace, to choose from. */
  names: string[];
  onRows: (rows: SecretRow[]) => void;
  problem: string | undefined;
}

/** Which secrets are attached to the script's requests, where, and how. */
export function SecretRows({ rows, hosts, names, onRows, problem }: SecretRowsProps) {
  const change = (at: number, patch: Partial<SecretRow>): void =>
    onRows(rows.map((row, index) => (index === at ? { ...row, ...patch } : row)));
  return (
    <Input.Wrapper
      label="Secrets attached to requests"
      labelElement="div"
      description="The code never sees them: they are put into a header on the way to their hosts. {secret} stands for the secret."
      error={problem}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Stack gap="xs" mt={4}>
        {rows.map((row, index) => (
          <Paper key={index} withBorder p="xs" role="group" aria-label={row.name || `Secret ${index + 1}`}>
            <div className={classes['secret']}>
              <Autocomplete
                label="Name"
                placeholder="STRIPE_KEY"
                data={names}
                value={row.name}
                onChange={(name) => change(index, { name })}
              />
              <TextInput
                label="Header"
                placeholder="authorization"
                value={row.header}
                onChange={({ currentTarget }) => change(index, { header: currentTarget.value })}
              />
              <TextInput
                label="Value"
                value={row.value}
                onChange={({ currentTarget }) => change(index, { value: currentTarget.value })}
              />
              <MultiSelect
                label="Only to"
                placeholder={row.hosts.length === 0 ? 'All hosts that it allows' : ''}
                data={[...new Set([...hosts, ...row.hosts])]}
                value={row.hosts}
                onChange={(chosen) => change(index, { hosts: chosen })}
              />
            </div>
            <Group justify="flex-end" mt={6}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${row.name || `secret ${index + 1}`}`}
                onClick={() => onRows(rows.filter((_, other) => other !== index))}
              >
                <IconTrash size={17} aria-hidden />
              </ActionIcon>
            </Group>
          </Paper>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              onRows([...rows, { name: '', header: 'authorization', value: 'Bearer {secret}', hosts: [] }])
            }
          >
            Add a secret
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
