import {
  type PersonalTokenCreated,
  type PersonalTokenInput,
  personalTokensCreate,
} from '@gatehouse/client/operations';
import { Button, Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { useUser } from '../../../api/session.js';
import { FormProblem, problemAt } from '../../../kit/form-problem.js';
import { Page } from '../../../kit/page.js';
import { ShownOnce } from '../../../kit/shown-once.js';
import { useAct } from '../../../kit/use-act.js';
import { LIFETIMES, expiryOf } from './expiry.js';
import { ScopePicker } from './scope-picker.js';
import type { Scope } from './scope-words.js';

const CRUMBS = [{ label: 'Your account', link: { to: '/account' } }] as const;

export function NewTokenPage() {
  const [made, setMade] = useState<PersonalTokenCreated | null>(null);
  return (
    <Page
      title={made ? `The token ${made.name}` : 'New token'}
      crumbs={[...CRUMBS]}
      description={!made && 'It acts as you, within these limits, until it ends or you revoke it.'}
    >
      {made ? (
        <>
          <ShownOnce value={made.token} name="token" />
          <Group>
            <Button renderRoot={(props) => <Link to="/account" {...props} />}>Done</Button>
          </Group>
        </>
      ) : (
        <TokenForm onMade={setMade} />
      )}
    </Page>
  );
}

function create(body: PersonalTokenInput) {
  return personalTokensCreate({ body });
}

interface Values {
  name: string;
  scopes: Scope[];
  everywhere: boolean;
  workspaces: string[];
  lifetime: string;
}

const NEW: Values = { name: '', scopes: [], everywhere: true, workspaces: [], lifetime: '90' };

function TokenForm({ onMade }: { onMade: (made: PersonalTokenCreated) => void }) {
  const queries = useQueryClient();
  const form = useForm<Values>({
    initialValues: NEW,
    validate: { scopes: needsOne, workspaces: needsOneUnlessAll },
  });
  const { run, busy, problem } = useAct(
    async ({ name, scopes, everywhere, workspaces, lifetime }: Values) => {
      const { data } = await create({
        name,
        scopes,
        workspaces: everywhere ? null : workspaces,
        expiresAt: expiryOf(lifetime, new Date()),
      });
      await queries.invalidateQueries();
      onMade(data);
    },
  );

  return (
    <form onSubmit={form.onSubmit((values) => void run(values))}>
      <Stack gap="lg">
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            label="What is it for?"
            placeholder="Nightly export on my laptop"
            maxLength={100}
            required
            withAsterisk={false}
            {...form.getInputProps('name')}
            error={problemAt(problem, 'name')}
          />
          <NativeSelect label="It ends after" data={LIFETIMES} {...form.getInputProps('lifetime')} />
        </Group>
        <Where form={form} />
        <ScopePicker
          scopes={form.values.scopes}
          onScopes={(scopes) => form.setFieldValue('scopes', scopes)}
          error={form.errors['scopes'] as string | undefined}
        />
        <FormProblem error={problem} fields={['name']} />
        <Group gap="xs">
          <Button type="submit" loading={busy}>
            Make the token
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/account" {...props} />}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** In which of the person's workspaces it may act. */
function Where({
  form,
}: {
  form: Pick<UseFormReturnType<Values>, 'values' | 'setFieldValue' | 'getInputProps'>;
}) {
  const { workspaces } = useUser();
  const { everywhere } = form.values;
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Where it may act"
        value={everywhere ? 'all' : 'some'}
        onChange={(value) => form.setFieldValue('everywhere', value === 'all')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="In all of your workspaces, also those that you join later" />
          <Radio value="some" label="Only in these" />
        </Stack>
      </Radio.Group>
      {!everywhere && (
        <Checkbox.Group aria-label="Workspaces" {...form.getInputProps('workspaces')}>
          <Stack gap={6} pl="xl">
            {workspaces.map(({ slug, name }) => (
              <Checkbox key={slug} value={slug} label={<span className="user-text">{name}</span>} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

function needsOne(scopes: Scope[]): string | null {
  return scopes.length === 0 ? 'Choose at least one.' : null;
}

function needsOneUnlessAll(workspaces: string[], { everywhere }: Values): string | null {
  return !everywhere && workspaces.length === 0 ? 'Choose at least one, or all of them.' : null;
}
