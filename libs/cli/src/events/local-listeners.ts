import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { WorkspaceEvent } from '@gatehouse/client';

import { parseJson, stringifyJson } from '../output/json.js';
import { settingsDirectory } from '../settings/profiles.js';
import type { Settings } from '../settings/settings.js';

const MAX_LENGTH = 1024 * 1024;
const PATIENCE_MS = 2_000;

/** In the folder of this user's credentials, which others may not enter. Windows has pipes in their place, which it keeps apart. */
const directory = (): string => join(settingsDirectory(), 'listeners');

/** Listeners of another service or workspace get none of it. */
const nameOf = ({ url, workspace }: Settings): string =>
  createHash('sha256').update(`${url} ${workspace}`).digest('hex').slice(0, 12);

/**
 * Lets `gatehouse trigger` on this machine make up events for a listener. Gives what ends that.
 *
 * @param onEvent told of each
 */
export async function openListener(
  settings: Settings,
  onEvent: (event: WorkspaceEvent) => void,
): Promise<() => void> {
  if (process.platform === 'win32') return () => undefined;
  await mkdir(directory(), { recursive: true, mode: 0o700 });
  const path = join(directory(), `${nameOf(settings)}-${process.pid}`);
  await rm(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let sent = '';
    socket.setEncoding('utf8').setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      sent += chunk;
      if (sent.length > MAX_LENGTH) socket.destroy();
    });
    socket.on('end', () => {
      onEvent(parseJson(sent) as WorkspaceEvent);
      socket.end('taken');
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(path, done);
  });
  server.unref();
  return () => server.close();
}

/** Gives an event to each listener. @returns how many took it */
export async function feedListeners(settings: Settings, event: WorkspaceEvent): Promise<number> {
  const names = await readdir(directory()).catch(() => []);
  const own = names.filter((name) => name.startsWith(`${nameOf(settings)}-`));
  const taken = await Promise.all(own.map((name) => feed(join(directory(), name), event)));
  return taken.filter(Boolean).length;
}

async function feed(path: string, event: WorkspaceEvent): Promise<boolean> {
  const socket = createConnection(path);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('It does not respond.')));
  socket.end(stringifyJson(event));
  try {
    return (await text(socket)) === 'taken';
  } catch (error) {
    // Left behind by one that was killed.
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') await rm(path, { force: true });
    return false;
  }
}
