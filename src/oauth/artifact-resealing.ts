import type { MasterKey } from '../core/crypto/index.js';
import { type MasterKeyUse, SealedByMasterKey } from '../core/keys/index.js';
import { ARTIFACT_PURPOSE, type ArtifactPayload, contextOf, userCodeHashOf } from './artifact-store.js';
import {
  OAuthArtifactsRepository,
  type ResealedArtifact,
  type SealedArtifact,
} from './oauth-artifacts.repository.js';

/** Seals what the authorization server remembers with the next master key: connected apps stay connected, and codes good. */
@SealedByMasterKey()
export class ArtifactResealing implements MasterKeyUse {
  constructor(private readonly artifacts: OAuthArtifactsRepository) {}

  async reseal(present: MasterKey, next: MasterKey): Promise<void> {
    const all = await this.artifacts.lockAll();
    await this.artifacts.replace(all.flatMap((artifact) => resealed(artifact, present, next)));
  }
}

/** One that the present key does not open is left: the next key has sealed it already, or it will expire. */
function resealed(
  { kind, hash, payload }: SealedArtifact,
  present: MasterKey,
  next: MasterKey,
): ResealedArtifact[] {
  const context = contextOf(kind, hash);
  try {
    const plain = present.decrypt(ARTIFACT_PURPOSE, payload, context);
    const userCodeHash = userCodeHashOf(JSON.parse(plain.toString()) as ArtifactPayload, next);
    return [{ kind, hash, payload: next.encrypt(ARTIFACT_PURPOSE, plain, context), userCodeHash }];
  } catch {
    return [];
  }
}
