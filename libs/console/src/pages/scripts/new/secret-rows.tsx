import type { Secret } from '@gatehouse/client/operations';
import { ActionIcon, Autocomplete, Button, Group, Input, MultiSelect, Paper, Stack } from '@mantine/core';
import IconPlus from 'icon:plus';
import IconTrash from 'icon:trash';

import { BEARER } from '../../../kit/secret-use-form.js';
import type { SecretFormProps } from '../../settings/secrets/secret-form.js';
import type { SecretRow } from './draft.js';
import classes from './new.module.css';
import { NewSecret } from './new-secret.js';
import { useFor } from './secret-row.js';
import { SecretUseFields } from './secret-use-fields.js';

interface SecretRowsProps {
  rows: SecretRow[];
  /** The draft's hosts, of which each secret may go to some. */
  hosts: string[];
  /** Secrets of the workspace, to choose from, by name. */
  kinds: ReadonlyMap<string, Secret['kind']>;
  onRows: (rows: SecretRow[]) => void;
  /** One that was made in place, and where it may go. */
  onMade: SecretFormProps['onSet'];
  problem: string | undefined;
}

/** Which secrets are attached to the script's requests, where, and how. */
export function SecretRows({ rows, hosts, kinds, onRows, onMade, problem }: SecretRowsProps) {
  const change = (at: number, patch: Partial<SecretRow>): void =>
    onRows(rows.map((row, index) => (index === at ? { ...row, ...patch } : row)));
  return (
    <Input.Wrapper
      label="Secrets attached to requests"
      labelElement="div"
      description="The code never sees them: they are put into a header, or sign the request, on the way to their hosts. In a header of your own, {secret} stands for the secret."
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
                data={[...kinds.keys()]}
                value={row.name}
                onChange={(name) => change(index, { name, ...useFor(kinds.get(name), row) })}
              />
              <SecretUseFields row={row} onRow={(patch) => change(index, patch)} />
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
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onRows([...rows, { name: '', hosts: [], ...BEARER }])}
          >
            Add a secret
          </Button>
          <NewSecret onMade={onMade} />
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
