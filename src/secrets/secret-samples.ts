import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import { WorkspaceKeysService } from '../core/keys/index.js';
import { placeOf } from './secret-place.js';
import { SAMPLES, type SampledSecret } from './secret-vault.sql.js';

/** Whether the secrets of a database open with the master key that is at hand. */
@Injectable()
export class SecretSamples {
  constructor(
    private readonly database: Database,
    private readonly keys: WorkspaceKeysService,
  ) {}

  /** Opens one of each workspace that has some. `closed` are the slugs of those where that fails. */
  async openEach(): Promise<{ opened: number; closed: string[] }> {
    const samples = await this.database.query<SampledSecret>(SAMPLES);
    const closed = samples.filter((sample) => !this.opens(sample)).map(({ workspaceSlug }) => workspaceSlug);
    return { opened: samples.length - closed.length, closed };
  }

  private opens(sample: SampledSecret): boolean {
    try {
      this.keys.unwrap(sample).open(sample.sealed, placeOf(sample));
      return true;
    } catch {
      return false;
    }
  }
}
