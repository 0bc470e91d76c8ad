import { Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';

import { EntryFrame } from '../entry/entry-frame.js';

/** By the code alone: whatever else stands in the address, somebody else may have written. */
const SENTENCES: Record<string, string> = {
  invalid_client: 'The app is not known here, or the page that describes it cannot be read.',
  invalid_redirect_uri: 'The app wants your answer at an address that it has not named as its own.',
  interaction_required: 'The app wanted to be connected without asking you, which is not possible here.',
  invalid_request: 'The app has sent a request that is not complete, or this page was opened too late.',
  session_not_found: 'This sign-in has expired, or was begun in another browser or by another account.',
};

/** Where a person lands when the request of an app that they have not connected cannot be taken. */
export function ConnectErrorPage() {
  const { error = '' } = useSearch({ from: '/connect/error' });
  return (
    <EntryFrame title="The app cannot be connected">
      <Text>{SENTENCES[error] ?? 'The app has sent a request that cannot be taken.'}</Text>
      <Text size="sm" c="dimmed">
        Nothing was granted. Start again in the app.
      </Text>
    </EntryFrame>
  );
}
