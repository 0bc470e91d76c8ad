import type { MasterKey } from '../core/crypto/master-key.js';
import { type MasterKeyUse, SealedByMasterKey } from '../core/keys/sealed-by-master-key.js';
import { ARTIFACT_PURPOSE, contextOf } from './artifact-store.js';
import { OAuthArtifactsRepository, type SealedArtifact } from './oauth-artifacts.repository.js';

/** Seals what the authorization server remembers with the next master key: connected apps stay connected. */
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
): SealedArtifact[] {
  const context = contextOf(kind, hash);
  try {
    const plain = present.decrypt(ARTIFACT_PURPOSE, payload, context);
    return [{ kind, hash, payload: next.encrypt(ARTIFACT_PURPOSE, plain, context) }];
  } catch {
    return [];
  }
}
