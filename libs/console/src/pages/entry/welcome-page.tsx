import { workspacesCreate } from '@gatehouse/client/operations';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { isProblem } from '../../api/problem.js';
import { refreshSession, useUser } from '../../api/session.js';
import { signOut } from '../../app/sign-out.js';
import { FormProblem, problemAt } from '../../kit/form-problem.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';
import { slugOf } from './workspace-slug.js';

/** For somebody who is in no workspace: they make one, or learn who can let them into theirs. */
export function WelcomePage() {
  const { email } = useUser();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const slug = ownSlug ?? slugOf(name);
  const create = useAct(async (event: FormEvent) => {
    event.preventDefault();
    await workspacesCreate({ body: { name, slug } });
    await refreshSession();
    const place = { workspace: slug, environment: DEFAULT_ENVIRONMENT };
    await navigate({ to: '/w/$workspace/$environment', params: place });
  });
  const { problem } = create;

  if (isProblem(problem, 'forbidden')) return <NotAllowed email={email} />;
  return (
    <EntryFrame title="Your first workspace">
      <form onSubmit={(event) => void create.run(event)}>
        <Stack>
          <Text size="sm" c="dimmed">
            A workspace holds the scripts, runs and secrets of a group of people. You own this one, and invite
            others later.
          </Text>
          <TextInput
            label="Name"
            placeholder="Acme"
            maxLength={100}
            autoFocus
            required
            withAsterisk={false}
            value={name}
            error={problemAt(problem, 'name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Short name"
            description="Stands in addresses and cannot be changed: small letters, digits and dashes."
            pattern="[a-z0-9][a-z0-9\-]{0,49}"
            required
            withAsterisk={false}
            value={slug}
            error={problemAt(problem, 'slug')}
            onChange={(event) => setOwnSlug(event.currentTarget.value)}
          />
          <FormProblem error={problem} fields={['name', 'slug']} />
          <Button type="submit" loading={create.busy}>
            Make the workspace
          </Button>
          <AnotherAccount email={email} />
        </Stack>
      </form>
    </EntryFrame>
  );
}

function NotAllowed({ email }: { email: string }) {
  return (
    <EntryFrame title="You need an invitation">
      <Text size="sm">
        On this Gatehouse, only people who own a workspace make others. Ask an owner or admin of the workspace
        that you want to join to invite <b className="user-text">{email}</b>; the invitation&apos;s link leads
        you in.
      </Text>
      <Button onClick={() => window.location.reload()}>Look again</Button>
      <AnotherAccount email={email} />
    </EntryFrame>
  );
}

function AnotherAccount({ email }: { email: string }) {
  return (
    <Text size="sm" c="dimmed" ta="center">
      Signed in as <span className="user-text">{email}</span>.{' '}
      <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
        Sign out
      </Anchor>
    </Text>
  );
}
