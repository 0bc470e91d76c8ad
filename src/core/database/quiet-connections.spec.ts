import pg from 'pg';
import { expect, it, vi } from 'vitest';

import './connection-options.js';

it.each([
  ['client', () => new pg.Client()],
  ['pool', () => new pg.Pool()],
])(
  'an error of a %s that nobody listens for ends nothing, and one that is listened for is heard',
  (_, make) => {
    const connection = make();
    expect(() => connection.emit('error', new Error('broken'))).not.toThrow();
    const listener = vi.fn();
    connection.once('error', listener);
    connection.emit('error', new Error('broken'));
    expect(listener).toHaveBeenCalledOnce();
    expect(() => connection.emit('error', new Error('broken'))).not.toThrow();
  },
);
