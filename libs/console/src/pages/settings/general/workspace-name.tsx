import { workspacesUpdate } from '@gatehouse/client/operations';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { refreshSession } from '../../../api/session.js';
import { useRights, useWorkspace } from '../../../app/use-place.js';
import { FormProblem, problemAt } from '../../../kit/form-problem.js';
import { notifyDone } from '../../../kit/notify.js';
import { Section } from '../../../kit/section.js';

export function WorkspaceName() {
  const workspace = useWorkspace();
  const { isOwner } = useRights();
  const [name, setName] = useState(workspace.name);
  const rename = useMutation({
    mutationFn: () => workspacesUpdate({ body: { name } }),
    onSuccess: async () => {
      await refreshSession();
      notifyDone('The workspace has its new name.');
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate();
  };

  return (
    <Section
      title="Workspace"
      description={
        <>
          In addresses and in <code>x-workspace</code> it is <code>{workspace.slug}</code>, which stays.
        </>
      }
    >
      {isOwner ? (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Group align="flex-end" gap="sm">
              <TextInput
                label="Name"
                required
                maxLength={100}
                w={{ base: '100%', xs: 320 }}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                error={problemAt(rename.error, 'name')}
              />
              <Button type="submit" loading={rename.isPending} disabled={name === workspace.name}>
                Rename
              </Button>
            </Group>
            <FormProblem error={rename.error} fields={['name']} />
          </Stack>
        </form>
      ) : (
        <Text>
          <span className="user-text">{workspace.name}</span>
          <Text span size="sm" c="dimmed">
            {' '}
            (an owner can rename it)
          </Text>
        </Text>
      )}
    </Section>
  );
}
