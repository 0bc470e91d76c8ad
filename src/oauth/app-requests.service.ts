import { Injectable } from '@nestjs/common';
import type { Interaction, Provider } from 'oidc-provider';

import type { Caller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { Conflict, NotFound } from '../core/errors/index.js';
import type { AppApprovalInput, AppDecisionDto, AppRequestDto } from './app-request.dto.js';
import { ArtifactStore } from './artifact-store.js';
import { appOf, type AskedConnection, AppConsentService, scopesOf } from './app-consent.service.js';
import { AuthorizationServer } from './authorization-server.service.js';

/** What a browser has brought: the library's word for it is an interaction. */
type OpenRequest = InstanceType<typeof Interaction>;

/** A person decides what an app may do that their browser came from. */
@Injectable()
export class AppRequestsService {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly store: ArtifactStore,
    private readonly connections: AppConsentService,
    private readonly database: Database,
  ) {}

  async get(caller: Caller, id: string): Promise<AppRequestDto> {
    const provider = await this.server.provider();
    const request = await openRequest(provider, caller, id);
    const asked = await askedBy(provider, request);
    return {
      id,
      app: appOf(asked),
      scopes: scopesOf(asked),
      workspaces: await this.connections.workspacesOf(caller),
      userCode: null,
      deviceAddress: null,
      expiresAt: new Date(request.exp! * 1000).toISOString(),
    };
  }

  approve(caller: Caller, id: string, input: AppApprovalInput): Promise<AppDecisionDto> {
    return this.decide(caller, id, async (request, asked) => {
      const grantId = await this.connections.grant(caller, asked, input);
      request.result = {
        consent: { grantId },
        // Asked for a fresh sign-in, the library goes on only with one. `Session.get` refuses it to anybody else.
        ...(promptsOf(request).includes('login') && {
          login: { accountId: caller.person!.id, remember: false },
        }),
      };
    });
  }

  deny(caller: Caller, id: string): Promise<AppDecisionDto> {
    return this.decide(caller, id, async (request) => {
      request.result = { error: 'access_denied', error_description: 'the person said no' };
    });
  }

  /** Once: the request is held until the decision is written. */
  private async decide(
    caller: Caller,
    id: string,
    decision: (request: OpenRequest, asked: AskedConnection) => Promise<void>,
  ): Promise<AppDecisionDto> {
    const provider = await this.server.provider();
    // Before the transaction: the app's own page may have to be fetched.
    const asked = await askedBy(provider, await openRequest(provider, caller, id));
    return this.database.transaction(async () => {
      await this.store.lock('Interaction', id);
      const request = await openRequest(provider, caller, id);
      if (request.result) throw new Conflict('This request was decided already.');
      await decision(request, asked);
      await request.persist();
      return { redirectTo: request.returnTo };
    });
  }
}

/** One that began in another person's browser is not there. */
async function openRequest(provider: Provider, caller: Caller, id: string): Promise<OpenRequest> {
  const request = await provider.Interaction.find(id);
  const begunBy = request?.session?.accountId;
  if (!request || (begunBy !== undefined && begunBy !== caller.person!.id))
    throw new NotFound('request of an app');
  return request;
}

async function askedBy(provider: Provider, { params }: OpenRequest): Promise<AskedConnection> {
  const client = await provider.Client.find(String(params['client_id']));
  if (!client) throw new NotFound('request of an app');
  const scope = params['scope'] as string | undefined;
  return { client, scope, redirectUri: String(params['redirect_uri']) };
}

function promptsOf({ params }: OpenRequest): string[] {
  return typeof params['prompt'] === 'string' ? params['prompt'].split(' ') : [];
}
