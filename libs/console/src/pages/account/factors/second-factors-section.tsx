import {
  type AuthenticatorOffer,
  type SecondFactors,
  secondFactorsBeginAuthenticator,
  secondFactorsRemoveAuthenticator,
  secondFactorsRemovePasskey,
  secondFactorsRenewRecoveryCodes,
} from '@gatehouse/client/operations';
import { secondFactorsListOptions } from '@gatehouse/client/react-query';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { confirmDestruction } from '../../../kit/confirm.js';
import { counted } from '../../../kit/counted.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { knowsPasskeys } from '../../../kit/passkeys.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Section } from '../../../kit/section.js';
import { AuthenticatorSetup } from './authenticator-setup.js';
import { NewPasskey } from './new-passkey.js';
import { RecoveryCodes } from './recovery-codes.js';

const MEANING =
  'What you show besides your password, so that nobody gets in who has only learned that. ' +
  'A passkey takes the place of both.';

export function SecondFactorsSection() {
  const factors = useQuery(secondFactorsListOptions());
  return (
    <Section title="Second factors" description={MEANING}>
      {factors.isPending && <Skeleton height={80} aria-hidden />}
      {factors.isError && <ProblemNotice error={factors.error} onRetry={factors.refetch} />}
      {factors.data &&
        (factors.data.available ? (
          <Factors factors={factors.data} />
        ) : (
          <Text size="sm">You sign in at your company&apos;s provider, which asks for second factors.</Text>
        ))}
    </Section>
  );
}

function Factors({ factors }: { factors: SecondFactors }) {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [offer, setOffer] = useState<AuthenticatorOffer | null>(null);
  const [addsPasskey, setAddsPasskey] = useState(false);

  const added = (recoveryCodes: string[] | null): void => {
    setOffer(null);
    setAddsPasskey(false);
    setCodes(recoveryCodes);
    notifyDone('It is asked for from now on.');
    void queries.invalidateQueries();
  };
  const remove = (title: string, act: () => Promise<unknown>): void =>
    confirmDestruction({
      title,
      children: 'It signs you in no more. With the last second factor the recovery codes go, too.',
      confirm: 'Remove it',
      onConfirm: () =>
        void act()
          .then(() => notifyDone('It is removed.'), notifyProblem)
          .then(() => queries.invalidateQueries()),
    });
  const { passkeys, authenticator, recoveryCodesLeft } = factors;
  const hasOne = passkeys.length > 0 || authenticator !== null;

  return (
    <Stack gap="md">
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <Factor
          key={id}
          name={<span className="user-text">{name}</span>}
          kind="passkey"
          createdAt={createdAt}
          lastUsedAt={lastUsedAt}
          onRemove={() => remove(`Remove ${name}?`, () => secondFactorsRemovePasskey({ path: { id } }))}
          removeLabel={`Remove ${name}`}
        />
      ))}
      {authenticator && (
        <Factor
          name="App for codes"
          kind="six digits"
          {...authenticator}
          onRemove={() => remove('Remove the app for codes?', () => secondFactorsRemoveAuthenticator())}
          removeLabel="Remove the app for codes"
        />
      )}
      {hasOne && (
        <Group justify="space-between">
          <Text size="sm">{counted(recoveryCodesLeft, 'recovery code')} left</Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              void secondFactorsRenewRecoveryCodes().then(({ data }) => {
                setCodes(data.recoveryCodes);
                return queries.invalidateQueries();
              }, notifyProblem)
            }
          >
            Make new recovery codes
          </Button>
        </Group>
      )}
      <Group gap="xs">
        {factors.passkeysAvailable && knowsPasskeys && (
          <Button variant="default" onClick={() => setAddsPasskey(true)}>
            Add a passkey
          </Button>
        )}
        {authenticator === null && (
          <Button
            variant="default"
            onClick={() =>
              void secondFactorsBeginAuthenticator().then(({ data }) => setOffer(data), notifyProblem)
            }
          >
            Set up an app for codes
          </Button>
        )}
      </Group>
      <NewPasskey opened={addsPasskey} onAdded={added} onClose={() => setAddsPasskey(false)} />
      <AuthenticatorSetup offer={offer} onAdded={added} onClose={() => setOffer(null)} />
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </Stack>
  );
}

interface FactorProps {
  name: ReactNode;
  kind: string;
  createdAt: string;
  lastUsedAt: string | null;
  onRemove: () => void;
  removeLabel: string;
}

function Factor({ name, kind, createdAt, lastUsedAt, onRemove, removeLabel }: FactorProps) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text size="sm">
          <b>{name}</b> · {kind}
        </Text>
        <Text size="sm" c="dimmed">
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Moment at={lastUsedAt} />
            </>
          )}
          , added <Moment at={createdAt} />
        </Text>
      </div>
      <Button size="compact-sm" variant="default" aria-label={removeLabel} onClick={onRemove}>
        Remove
      </Button>
    </Group>
  );
}
