import type { Agent } from '@gatehouse/client/operations';
import { Paper, Stack, Text } from '@mantine/core';

import { AnswerView } from './answer-view.js';
import { MessageForm } from './message-form.js';
import { useChat } from './use-chat.js';

/** Where an agent is asked. The conversation is gone with the page; its runs are recorded like all others. */
export function Chat({ agent }: { agent: Agent }) {
  const { entries, isBusy, send, stop } = useChat(agent.slug);
  return (
    <Stack component="section" aria-label={`Conversation with ${agent.name}`} maw={820}>
      <Stack role="log" aria-live="polite" aria-busy={isBusy} gap="lg">
        {entries.length === 0 && (
          <Text size="sm" c="dimmed">
            Ask it something. The conversation is kept on this page only; runs that it starts are recorded
            with its name.
          </Text>
        )}
        {entries.map((entry, place) =>
          entry.role === 'user' ? (
            <Paper key={place} withBorder p="sm" style={{ alignSelf: 'flex-end', maxWidth: '85%' }}>
              <Text size="sm" className="user-text" style={{ whiteSpace: 'pre-wrap' }}>
                {entry.content}
              </Text>
            </Paper>
          ) : (
            <AnswerView key={place} answer={entry} />
          ),
        )}
      </Stack>
      <MessageForm isBusy={isBusy} onSend={(content) => void send(content)} onStop={stop} />
    </Stack>
  );
}
