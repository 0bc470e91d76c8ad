import { hostAuthoritiesSet } from '@gatehouse/client/operations';
import { Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { notifyDone } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

interface AuthoritiesFormProps {
  /** Whose are replaced; left out for another host. */
  host?: string;
  onClose: () => void;
}

export function AuthoritiesForm({ host, onClose }: AuthoritiesFormProps) {
  const refresh = useRefresh();
  const [name, setName] = useState(host ?? '');
  const [certificates, setCertificates] = useState('');
  const setting = useMutation({
    mutationFn: () => hostAuthoritiesSet({ path: { host: name.trim() }, body: { certificates } }),
    onSuccess: async ({ data }) => {
      await refresh('hostAuthoritiesList');
      notifyDone(`Certificates of ${data.host} are checked by these authorities alone.`);
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel={host === undefined ? 'Set them' : 'Replace them'}
      onSubmit={() => setting.mutate()}
      onCancel={onClose}
      busy={setting.isPending}
      error={setting.error}
      fields={['host', 'certificates']}
    >
      <Text size="sm">
        Public authorities count for this host no more. Runs that start from now on use them.
      </Text>
      {host === undefined && (
        <TextInput
          label="Host"
          description="As versions declare it, with its port unless that is 443: db.example.com:5432, *.example.com"
          required
          data-autofocus
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problemAt(setting.error, 'host')}
        />
      )}
      <Textarea
        label="Certificates"
        description="In PEM, 1 to 20: of authorities, or one that the host has signed by itself. No private key."
        required
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={certificates}
        onChange={(event) => setCertificates(event.currentTarget.value)}
        error={problemAt(setting.error, 'certificates')}
      />
    </DialogForm>
  );
}
