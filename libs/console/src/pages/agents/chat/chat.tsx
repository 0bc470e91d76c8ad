import type { Agent } from '@gatehouse/client/operations';
import { Button, Paper, Stack, Text } from '@mantine/core';

import { AnswerView } from './answer-view.js';
import { ConversationPicker } from './conversation-picker.js';
import { hasRuns } from './conversation.js';
import { MessageForm } from './message-form.js';
import { useChat } from './use-chat.js';

/** Where an agent is asked, in conversations that are kept. */
export function Chat({ agent }: { agent: Agent }) {
  const { id, entries, isBusy, open, send, stop } = useChat(agent.slug);
  return (
    <Stack component="section" aria-label={`Conversation with ${agent.name}`} maw={820}>
      <ConversationPicker agent={agent.slug} value={id} onChange={(chosen) => void open(chosen)} />
      <Stack role="log" aria-live="polite" aria-busy={isBusy} gap="lg">
        {entries.length === 0 && (
          <Text size="sm" c="dimmed">
            Ask it something. The conversation is kept for you alone; runs that it starts are recorded with
            its name.
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
      {!isBusy && hasRuns(entries) && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => void send(null)}>
          Go on after its runs
        </Button>
      )}
      <MessageForm isBusy={isBusy} onSend={(content) => void send(content)} onStop={stop} />
    </Stack>
  );
}
