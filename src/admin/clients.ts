import type { Settings } from '../core/config/index.js';
import { type OperatorClient, OperatorClientsService } from '../oauth/index.js';
import { type Answer, dayOf, tableOf } from './answer.js';
import { CommandRefused } from './command-refused.js';
import { withService } from './service.js';
import { nameFor } from './users.js';

/** Apps that `clients add` has registered, the oldest first. */
export function listClients(settings: Settings): Promise<Answer> {
  return withService(settings, async (app) => {
    const value = await app.get(OperatorClientsService, { strict: false }).list();
    const rows = value.map(({ clientId, name, redirectUris, hasSecret, createdAt }) => [
      ...[clientId, name, dayOf(createdAt), hasSecret ? 'yes' : 'no'],
      redirectUris.join(' '),
    ]);
    return { text: tableOf(['CLIENT ID', 'NAME', 'ADDED', 'SECRET', 'REDIRECT URIS'], rows), value };
  });
}

/** Registers an app that people can connect from then on. */
export function addClient(
  settings: Settings,
  name: string,
  { redirect, secret = false }: { redirect: string[]; secret?: boolean },
): Promise<Answer> {
  const called = nameFor(name);
  return withService(settings, async (app) => {
    const clients = app.get(OperatorClientsService, { strict: false });
    const [client, shown] = await added(clients, { name: called, redirectUris: redirect, secret });
    const said = shown === null ? '' : ` Its secret, which is not said again: ${shown}`;
    return {
      text: `${client.name} has the client id ${client.clientId}.${said}`,
      value: { ...client, ...(shown !== null && { secret: shown }) },
    };
  });
}

/** Takes an app away, and ends what people granted it. */
export function removeClient(settings: Settings, clientId: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const grants = await app.get(OperatorClientsService, { strict: false }).remove(clientId);
    if (grants === null) throw new CommandRefused(`No app was added with the client id ${clientId}.`);
    return {
      text: `${clientId} is removed. Grants that ended with it: ${grants}.`,
      value: { clientId, grants },
    };
  });
}

async function added(
  clients: OperatorClientsService,
  wanted: Parameters<OperatorClientsService['add']>[0],
): Promise<[OperatorClient, string | null]> {
  try {
    return await clients.add(wanted);
  } catch (error) {
    // The library's error of an app's metadata: its message is a code.
    const why = (error as { error_description?: unknown }).error_description;
    throw typeof why === 'string' ? new CommandRefused(`${why}.`) : error;
  }
}
