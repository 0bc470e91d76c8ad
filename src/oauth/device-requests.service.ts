import { Injectable } from '@nestjs/common';
import type { DeviceCode, Provider } from 'oidc-provider';

import type { Caller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import { writtenAddress } from '../core/http/index.js';
import { RateLimiter, type RatePolicy } from '../core/rate-limit/index.js';
import type { AppDecisionDto, AppRequestDto, DeviceApprovalInput } from './app-request.dto.js';
import { ArtifactStore } from './artifact-store.js';
import { appOf, type AskedConnection, AppConsentService, scopesOf } from './app-consent.service.js';
import { AuthorizationServer } from './authorization-server.service.js';
import { OAuthUrls } from './oauth-urls.js';

type WaitingDevice = InstanceType<typeof DeviceCode>;

/** Codes are short: nobody may try many. */
const TRIES: RatePolicy = { name: 'device-codes', perMinute: 20, burst: 20 };
const HALF = 4;

/** A person decides what a device may do that shows them a code (RFC 8628). The code, as typed, names the request. */
@Injectable()
export class DeviceRequestsService {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly store: ArtifactStore,
    private readonly urls: OAuthUrls,
    private readonly connections: AppConsentService,
    private readonly limiter: RateLimiter,
    private readonly database: Database,
  ) {}

  async get(caller: Caller, typed: string): Promise<AppRequestDto> {
    const { provider, device } = await this.waiting(caller, typed);
    const asked = await askedBy(provider, device);
    const { userCode } = device;
    const address = device.deviceInfo?.['ip'];
    return {
      id: userCode,
      app: appOf(asked),
      scopes: scopesOf(asked),
      workspaces: await this.connections.workspacesOf(caller),
      userCode: `${userCode.slice(0, HALF)}-${userCode.slice(HALF)}`,
      deviceAddress: typeof address === 'string' ? writtenAddress(address) : null,
      expiresAt: new Date(device.exp! * 1000).toISOString(),
    };
  }

  approve(caller: Caller, { userCode, ...input }: DeviceApprovalInput): Promise<AppDecisionDto> {
    return this.decide(caller, userCode, async (device, asked) => {
      Object.assign(device, {
        grantId: await this.connections.grant(caller, asked, input),
        accountId: caller.person!.id,
        scope: input.scopes.join(' '),
        resource: this.urls.resource,
        authTime: Math.floor(Date.now() / 1000),
      });
    });
  }

  deny(caller: Caller, typed: string): Promise<AppDecisionDto> {
    return this.decide(caller, typed, async (device) => {
      Object.assign(device, { error: 'access_denied', errorDescription: 'the person said no' });
    });
  }

  /** Once: the request is held until the decision is written. */
  private async decide(
    caller: Caller,
    typed: string,
    decision: (device: WaitingDevice, asked: AskedConnection) => Promise<void>,
  ): Promise<AppDecisionDto> {
    const found = await this.waiting(caller, typed);
    // Before the transaction: the app's own page may have to be fetched.
    const asked = await askedBy(found.provider, found.device);
    return this.database.transaction(async () => {
      await this.store.lock('DeviceCode', found.device.jti);
      const { device } = await this.stillWaiting(found.provider, typed);
      await decision(device, asked);
      await device.save();
      return { redirectTo: null };
    });
  }

  private async waiting(caller: Caller, typed: string) {
    await this.limiter.demand(caller.person!.id, TRIES, 'Too many codes of devices were tried.');
    return this.stillWaiting(await this.server.provider(), typed);
  }

  private async stillWaiting(provider: Provider, typed: string) {
    const userCode = typed.toUpperCase().replace(/[^A-Z]/g, '');
    const device = await provider.DeviceCode.findByUserCode(userCode);
    const decided = device && (device.accountId !== undefined || device.error !== undefined);
    if (!device || !device.isValid || decided)
      throw new NotFound('code of a device, or it was used or has expired');
    return { provider, device };
  }
}

async function askedBy(provider: Provider, { clientId, params }: WaitingDevice): Promise<AskedConnection> {
  const client = await provider.Client.find(clientId!);
  if (!client) throw new NotFound('code of a device');
  return { client, scope: params?.['scope'] as string | undefined, redirectUri: null };
}
