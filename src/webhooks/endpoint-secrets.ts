import { Injectable } from '@nestjs/common';

import { WorkspaceKeysService } from '../core/keys/index.js';
import type { TargetRow } from './endpoint-target.sql.js';
import type { SendTarget } from './sending/attempt.js';
import { newSigningSecret, signingKey } from './signature.js';

/** Signing secrets, of which the database only has what the workspace's key has sealed. */
@Injectable()
export class EndpointSecrets {
  constructor(private readonly keys: WorkspaceKeysService) {}

  async make(workspaceId: string, endpointId: string): Promise<{ secret: string; sealedSecret: Buffer }> {
    const secret = newSigningSecret();
    const key = await this.keys.of(workspaceId);
    return { secret, sealedSecret: key.seal(secret, placeOf(endpointId)) };
  }

  async open(workspaceId: string, endpointId: string, sealedSecret: Buffer): Promise<string> {
    return (await this.keys.of(workspaceId)).open(sealedSecret, placeOf(endpointId));
  }

  /** With the keys to sign with, where the workspace's own key is at hand. */
  targetOf(row: TargetRow): SendTarget {
    const dataKey = this.keys.unwrap(row);
    const keys = [row.sealedSecret, ...(row.earlierSecrets ?? [])].map((sealed) =>
      signingKey(dataKey.open(sealed, placeOf(row.endpointId))),
    );
    return { url: row.url, keys };
  }
}

/** Bound to its endpoint: moved to another row, it does not open. */
function placeOf(endpointId: string): string[] {
  return ['webhook_endpoint', endpointId];
}
