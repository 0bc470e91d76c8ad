import { Button, Skeleton } from '@mantine/core';
import IconKey from 'icon:key';
import { Suspense, useState } from 'react';

import { FormDialog } from '../../../kit/form-dialog.js';
import { lazily } from '../../../kit/lazily.js';
import type { SecretFormProps } from '../../settings/secrets/secret-form.js';
import { useEnvironmentName } from '../../settings/use-environment-name.js';

const SecretForm = lazily(async () => ({
  default: (await import('../../settings/secrets/secret-form.js')).SecretForm,
}));

/** A secret that is not there yet, made without leaving the draft. */
export function NewSecret({ onMade }: { onMade: SecretFormProps['onSet'] }) {
  const [opened, setOpened] = useState(false);
  const environment = useEnvironmentName();
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconKey size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        New secret…
      </Button>
      <FormDialog title="New secret" opened={opened} onClose={() => setOpened(false)}>
        <Suspense fallback={<Skeleton height="20rem" />}>
          <SecretForm environment={environment} onSet={onMade} onClose={() => setOpened(false)} />
        </Suspense>
      </FormDialog>
    </>
  );
}
