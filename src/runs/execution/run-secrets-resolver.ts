import { Injectable } from '@nestjs/common';

import { TooManyPatterns } from '../../../libs/egress/index.js';
import { WrongMasterKey } from '../../core/keys/index.js';
import {
  type Masker,
  maskerFor,
  planSecrets,
  searchedValues,
  type SecretPlan,
  SecretUnreadable,
  SecretUseRecorder,
  SecretVaultService,
  SourceFailed,
  tooMuch,
} from '../../secrets/index.js';
import type { ClaimedRun } from './claimed-run.js';
import { RunFailure } from './run-failure.js';

export interface OpenedSecrets {
  plan: SecretPlan;
  /** Masks the values of the run's secrets in its log, its output and its error. */
  masker: Masker;
}

const NONE: OpenedSecrets = {
  plan: { attached: [], signIns: [], env: {}, placeholders: {} },
  masker: maskerFor([]),
};

/** Opens a run's secrets in its environment, by the rules that the secrets have now. */
@Injectable()
export class RunSecretsResolver {
  constructor(
    private readonly vault: SecretVaultService,
    private readonly usage: SecretUseRecorder,
  ) {}

  /** @throws RunFailure naming the secret and the environment */
  async open(run: ClaimedRun): Promise<OpenedSecrets> {
    const names = [...new Set([...Object.keys(run.secrets), ...run.env])];
    if (names.length === 0) return NONE;
    const { workspaceId, environmentId, environmentName } = run;
    const opened = await this.vault.read({ workspaceId, environmentId, names }).catch((error: unknown) => {
      const isForTheReader = [SecretUnreadable, SourceFailed, WrongMasterKey].some(
        (kind) => error instanceof kind,
      );
      throw isForTheReader ? new RunFailure((error as Error).message) : error;
    });
    const planned = planSecrets(run, opened, environmentName);
    if ('problem' in planned) throw new RunFailure(planned.problem);
    const masker = this.maskerOf(run, searchedValues(run, opened));
    for (const name of run.env) this.noteUse(run, name);
    return { plan: planned.plan, masker };
  }

  noteUse({ workspaceId, environmentId }: ClaimedRun, name: string): void {
    this.usage.note(workspaceId, name, environmentId);
  }

  /** The sizes were checked when the version was made; larger values may have been set since. */
  private maskerOf({ environmentName }: ClaimedRun, values: readonly string[]): Masker {
    try {
      return maskerFor(values);
    } catch (error) {
      if (error instanceof TooManyPatterns) throw new RunFailure(tooMuch(environmentName, error));
      throw error;
    }
  }
}
