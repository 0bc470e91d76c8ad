import { expect, it, vi } from 'vitest';

import { QuietClient } from './quiet-client.js';

it('an error that nobody listens for ends nothing, and one that is listened for is heard', () => {
  const client = new QuietClient();
  expect(() => client.emit('error', new Error('broken'))).not.toThrow();
  const listener = vi.fn();
  client.once('error', listener);
  client.emit('error', new Error('broken'));
  expect(listener).toHaveBeenCalledOnce();
  expect(() => client.emit('error', new Error('broken'))).not.toThrow();
});
