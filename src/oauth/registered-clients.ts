import { Injectable } from '@nestjs/common';

import { type ArtifactPayload, ArtifactStore } from './artifact-store.js';
import { knownBy } from './oauth-clients.js';

const BY_ITSELF = 'Client';
const BY_OPERATOR = 'OperatorClient';

/** An app that registered itself and that nobody has connected by then is forgotten. */
const UNUSED_SECONDS = 24 * 3600;
/** Of more than these, the oldest are forgotten: a flood shuts nobody out for longer than it lasts. */
const MOST_UNUSED = 1_000;
/** One that somebody has connected is kept for so long, and then for as long as it is connected. */
const USED_SECONDS = 30 * 24 * 3600;
const OPERATORS_SECONDS = 100 * 365 * 24 * 3600;

/** Apps that have no document of their own: those that registered themselves, and those that the operator has registered. */
@Injectable()
export class RegisteredClients {
  constructor(private readonly store: ArtifactStore) {}

  find(id: string): Promise<ArtifactPayload | undefined> {
    return this.store.find(kindOf(id), id);
  }

  /** By anybody, so that it is not kept for long. */
  async register(id: string, metadata: ArtifactPayload): Promise<void> {
    await this.store.save(BY_ITSELF, id, metadata, UNUSED_SECONDS);
    await this.store.deleteSurplus(BY_ITSELF, UNUSED_SECONDS, MOST_UNUSED);
  }

  /** A person has connected it. */
  async keep(id: string): Promise<void> {
    if (knownBy(id) === 'dynamic') await this.store.prolong(BY_ITSELF, id, USED_SECONDS);
  }

  async add(id: string, metadata: ArtifactPayload): Promise<void> {
    await this.store.save(BY_OPERATOR, id, metadata, OPERATORS_SECONDS);
  }

  /** Those of the operator, the oldest first. */
  listOperators(): Promise<ArtifactPayload[]> {
    return this.store.list(BY_OPERATOR);
  }

  /** False: the operator has registered none of that id. */
  remove(id: string): Promise<boolean> {
    return this.store.delete(BY_OPERATOR, id);
  }
}

function kindOf(id: string): string {
  return knownBy(id) === 'operator' ? BY_OPERATOR : BY_ITSELF;
}
