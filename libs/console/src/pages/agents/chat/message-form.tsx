import { Button, Group, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';

export interface MessageFormProps {
  isBusy: boolean;
  onSend: (content: string) => void;
  onStop: () => void;
}

/** Enter sends, with Shift it begins a new line. */
export function MessageForm({ isBusy, onSend, onStop }: MessageFormProps) {
  const [text, setText] = useState('');
  const send = (): void => {
    if (isBusy || text.trim() === '') return;
    onSend(text);
    setText('');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        label="Message"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={100_000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group justify="flex-end" mt="xs">
        {isBusy && (
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        )}
        <Button type="submit" disabled={isBusy || text.trim() === ''}>
          Send
        </Button>
      </Group>
    </form>
  );
}
