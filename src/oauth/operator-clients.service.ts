import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AgentGrantsService } from '../auth/index.js';
import { Database } from '../core/database/index.js';
import { newOperatorsId } from './oauth-clients.js';
import { RegisteredClients } from './registered-clients.js';

export interface OperatorClient {
  clientId: string;
  name: string;
  redirectUris: string[];
  hasSecret: boolean;
  createdAt: Date;
}

interface NewOperatorClient {
  name: string;
  redirectUris: readonly string[];
  /** It is given a secret, and has to show it. */
  secret: boolean;
}

/** Apps that the operator registers: those that neither describe themselves nor may register. */
@Injectable()
export class OperatorClientsService {
  constructor(
    private readonly clients: RegisteredClients,
    private readonly grants: AgentGrantsService,
    private readonly database: Database,
  ) {}

  async list(): Promise<OperatorClient[]> {
    return (await this.clients.listOperators()).map((metadata) => present(metadata));
  }

  /**
   * Gives its secret, which is not given again; null where it has none.
   *
   * @throws Error where a redirect URI is none that an app may have
   */
  async add({ name, redirectUris, secret }: NewOperatorClient): Promise<[OperatorClient, string | null]> {
    // The library's errors come with it, and it is loaded only where it is needed.
    const { adaptClientMetadata } = await import('./provider/client-metadata.js');
    const metadata: Record<string, unknown> = {
      client_id: newOperatorsId(),
      client_id_issued_at: Math.floor(Date.now() / 1000),
      client_name: name,
      redirect_uris: [...redirectUris],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: secret ? 'client_secret_post' : 'none',
      ...(secret && { client_secret: randomBytes(32).toString('base64url'), client_secret_expires_at: 0 }),
    };
    adaptClientMetadata(metadata);
    await this.clients.add(metadata['client_id'] as string, metadata);
    return [present(metadata), (metadata['client_secret'] as string | undefined) ?? null];
  }

  /** What people granted it ends with it. Gives how many grants that were; null: there is no such app. */
  remove(clientId: string): Promise<number | null> {
    return this.database.transaction(async () => {
      if (!(await this.clients.remove(clientId))) return null;
      return this.grants.endAllOf(clientId);
    });
  }
}

function present(metadata: Record<string, unknown>): OperatorClient {
  return {
    clientId: metadata['client_id'] as string,
    name: metadata['client_name'] as string,
    redirectUris: metadata['redirect_uris'] as string[],
    hasSecret: metadata['client_secret'] !== undefined,
    createdAt: new Date((metadata['client_id_issued_at'] as number) * 1000),
  };
}
