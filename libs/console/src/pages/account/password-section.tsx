import { authChangePassword } from '@gatehouse/client/operations';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useUser } from '../../api/session.js';
import { FormProblem, problemAt } from '../../kit/form-problem.js';
import { NewPasswordInput } from '../../kit/new-password-input.js';
import { notifyDone } from '../../kit/notify.js';
import { PasswordInput } from '../../kit/password-input.js';
import { Section } from '../../kit/section.js';
import { useAct } from '../../kit/use-act.js';

export function PasswordSection() {
  const [changing, setChanging] = useState(false);
  return (
    <Section
      title="Password"
      description="Changing it signs you out everywhere else. Tokens go on working."
      actions={
        !changing && (
          <Button variant="default" onClick={() => setChanging(true)}>
            Change the password
          </Button>
        )
      }
    >
      {changing && <PasswordForm onDone={() => setChanging(false)} />}
    </Section>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { email } = useUser();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { current: '', next: '' } });
  const { run, busy, problem } = useAct(async (body: typeof form.values) => {
    await authChangePassword({ body });
    void queries.invalidateQueries();
    notifyDone('Your password is changed.');
    onDone();
  });

  return (
    <form onSubmit={form.onSubmit((values) => void run(values))}>
      <Stack maw={400}>
        {/* So that the browser keeps the new password for the right account. */}
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="Password until now"
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
          {...form.getInputProps('current')}
          error={problemAt(problem, 'current')}
        />
        <NewPasswordInput {...form.getInputProps('next')} error={problemAt(problem, 'next')} />
        <FormProblem error={problem} fields={['current', 'next']} />
        <Group gap="xs">
          <Button type="submit" loading={busy}>
            Change the password
          </Button>
          <Button variant="default" disabled={busy} onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
