import { conversationsDelete } from '@gatehouse/client/operations';
import { conversationsListOptions } from '@gatehouse/client/react-query';
import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

export interface ConversationPickerProps {
  agent: string;
  /** null: a new one. */
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Earlier conversations of one's own. */
export function ConversationPicker({ agent, value, onChange }: ConversationPickerProps) {
  const refresh = useRefresh();
  const { data } = useQuery(conversationsListOptions({ path: { agent }, query: { limit: 100 } }));
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  const remove = async (id: string): Promise<void> => {
    await conversationsDelete({ path: { agent, id } }).then(() => onChange(null), notifyProblem);
    await refresh('conversationsList');
  };
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Earlier conversations"
        placeholder="A new one"
        clearable
        searchable
        value={value}
        onChange={onChange}
        data={items.map(({ id, title, updatedAt }) => ({
          value: id,
          label: `${title === '' ? 'Nothing said yet' : title} · ${updatedAt.slice(0, 10)}`,
        }))}
        style={{ flex: 1 }}
      />
      {value !== null && (
        <Button
          variant="default"
          onClick={() =>
            confirmDestruction({
              title: 'Delete this conversation?',
              children: 'What was said is gone for good. Runs that it started stay.',
              confirm: 'Delete the conversation',
              onConfirm: () => void remove(value),
            })
          }
        >
          Delete
        </Button>
      )}
    </Group>
  );
}
