import { type InvitationCreated, invitationsCreate } from '@gatehouse/client/operations';
import { teamsListOptions } from '@gatehouse/client/react-query';
import { Button, Group, MultiSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';

import { type Role, useRights } from '../../../app/use-place.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { notifyDone } from '../../../kit/notify.js';
import { ShownOnce } from '../../../kit/shown-once.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { ROLE_LABELS, ROLE_MEANINGS, rolesGivenBy } from './roles.js';

export function InvitePerson({ onClose }: { onClose: () => void }) {
  const { role } = useRights();
  const refresh = useRefresh();
  const teams = useQuery(teamsListOptions({ query: { limit: 100 } }));
  const form = useForm({
    initialValues: { email: '', role: 'member' as Role, teamIds: [] as string[] },
  });
  const invitation = useMutation({
    mutationFn: (body: typeof form.values) => invitationsCreate({ body }),
    onSuccess: async ({ data }) => {
      await refresh('invitationsList');
      if (data.link) return;
      notifyDone(`The invitation is on its way to ${data.email}.`);
      onClose();
    },
  });
  if (invitation.data?.data.link) return <InvitationLink made={invitation.data.data} onClose={onClose} />;

  const choosable = teams.data?.items.filter(({ isDefault }) => !isDefault) ?? [];
  return (
    <DialogForm
      submitLabel="Invite"
      onSubmit={() => invitation.mutate(form.values)}
      onCancel={onClose}
      busy={invitation.isPending}
      error={invitation.error}
      fields={['email']}
    >
      <TextInput
        label="E-mail address"
        type="email"
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('email')}
        error={problemAt(invitation.error, 'email')}
      />
      <Radio.Group label="Role" {...form.getInputProps('role')}>
        <Stack gap="xs" mt={4}>
          {rolesGivenBy(role).map((value) => (
            <Radio key={value} value={value} label={ROLE_LABELS[value]} description={ROLE_MEANINGS[value]} />
          ))}
        </Stack>
      </Radio.Group>
      {choosable.length > 0 && (
        <MultiSelect
          label="Teams"
          description="Besides the team of everyone."
          searchable
          data={choosable.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('teamIds')}
        />
      )}
    </DialogForm>
  );
}

/** Where the service sends no mail, the link is passed on by hand. */
function InvitationLink({
  made: { email, link = '' },
  onClose,
}: {
  made: InvitationCreated;
  onClose: () => void;
}) {
  return (
    <Stack>
      <ShownOnce value={link} name="link">
        This service sends no mail. Send the link to <b className="user-text">{email}</b> yourself: with it,
        the invitation is accepted or declined.
      </ShownOnce>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
