import type { InvitationOffer, UserMe } from '@gatehouse/client/operations';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { FormProblem, problemAt } from '../../kit/form-problem.js';
import { NewPasswordInput } from '../../kit/new-password-input.js';
import { useAccept } from './use-accept.js';

interface Props {
  offer: InvitationOffer;
  token: string;
  user: UserMe | null;
}

/** The address has no account: accepting makes one, and signs in as it. */
export function JoinWithNewAccount({ offer, token, user }: Props) {
  const form = useForm({ initialValues: { name: '', password: '' } });
  const { run, busy, problem } = useAccept(token, null);
  return (
    <form onSubmit={form.onSubmit((values) => void run(values))}>
      <Stack>
        {/* Once it has been made, the page stays for a moment as the new account. */}
        {user && user.email !== offer.email && (
          <Text size="sm">
            You are signed in as <b className="user-text">{user.email}</b>. Accepting makes another account,
            for the address above, and signs you in as that.
          </Text>
        )}
        {/* So that the browser keeps the password for the right account. */}
        <input type="hidden" name="email" autoComplete="username" value={offer.email} readOnly />
        <TextInput
          label="Your name"
          autoComplete="name"
          maxLength={100}
          autoFocus
          required
          withAsterisk={false}
          {...form.getInputProps('name')}
          error={problemAt(problem, 'name')}
        />
        <NewPasswordInput
          label="Password"
          {...form.getInputProps('password')}
          error={problemAt(problem, 'password')}
        />
        <FormProblem error={problem} fields={['name', 'password']} />
        <Button type="submit" loading={busy}>
          Make the account and join
        </Button>
      </Stack>
    </form>
  );
}
