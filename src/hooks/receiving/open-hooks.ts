import { Injectable } from '@nestjs/common';

import { hashToken } from '../../core/crypto/index.js';
import { NotFound } from '../../core/errors/index.js';
import { Batcher } from '../../core/work/index.js';
import { SecretUseRecorder, SecretVaultService } from '../../secrets/index.js';
import { type OpenHook, HooksRepository } from '../hooks.repository.js';
import { ADDRESS_LENGTH } from '../hooks.service.js';
import { secretsOf } from '../verify/verify-config.js';

/** A changed secret counts this much later at most. */
const KEPT_MS = 1_000;
const MOST_KEPT = 1_000;

interface KeptKeys {
  at: number;
  keys: Promise<ReadonlyMap<string, string>>;
}

/** Hooks by their addresses, and the keys that verify what is sent there. */
@Injectable()
export class OpenHooks {
  private readonly found = new Batcher<Buffer, OpenHook | null>(
    async (hashes) => {
      const hooks = await this.hooks.open(hashes);
      return hashes.map((hash) => hooks.find(({ addressHash }) => addressHash.equals(hash)) ?? null);
    },
    { most: 100, atOnce: 2 },
  );
  private readonly kept = new Map<string, KeptKeys>();

  constructor(
    private readonly hooks: HooksRepository,
    private readonly vault: SecretVaultService,
    private readonly uses: SecretUseRecorder,
  ) {}

  /** null: there is none, or it is switched off. */
  async find(address: string): Promise<OpenHook | null> {
    if (address.length !== ADDRESS_LENGTH) return null;
    return this.found.add(hashToken(address));
  }

  /** @throws NotFound where there is none, or it is switched off */
  async get(address: string): Promise<OpenHook> {
    const hook = await this.find(address);
    if (!hook) throw new NotFound('hook');
    return hook;
  }

  /** The version that it would run now; null: none is published. */
  async versionOf({ addressHash, versionId }: OpenHook): Promise<string | null> {
    const hook = await this.found.add(addressHash);
    return hook ? hook.versionId : versionId;
  }

  /** The values of the secrets of its rule, by name. @throws as `SecretVaultService.read` */
  keys(hook: OpenHook): Promise<ReadonlyMap<string, string>> {
    const names = secretsOf(hook.verify);
    const id = [hook.id, hook.environmentId, ...names].join(' ');
    const kept = this.kept.get(id);
    if (kept && performance.now() - kept.at < KEPT_MS) return kept.keys;
    const keys = this.read(hook, names);
    this.kept.delete(id);
    this.kept.set(id, { at: performance.now(), keys });
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
    // What failed is tried again by the next request.
    keys.catch(() => this.kept.delete(id));
    return keys;
  }

  private async read(
    { workspaceId, environmentId }: OpenHook,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const opened = await this.vault.read({ workspaceId, environmentId, names });
    for (const name of opened.keys()) this.uses.note(workspaceId, name, environmentId);
    return new Map([...opened].map(([name, { value }]) => [name, value]));
  }
}
