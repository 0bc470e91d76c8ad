import { Injectable } from '@nestjs/common';

import type { Claimed } from '../../core/work/index.js';
import type { ClaimedRun } from '../execution/claimed-run.js';

/** Where a run may begin as it is written. */
export interface FreePlace {
  worker: string;
  /** Whose its places are: a workspace for each that is taken, that of this run included. */
  here: string[];
  /** How many of its places one workspace, and all of one owner, may have where there are others. */
  share: number;
  /** The names of the versions that are unpacked there. */
  unpacked: string[];
}

/** Writes a run, as one that this place has if nothing waits and its workspace and owner have not their share of the worker already. */
export type Put = (place: FreePlace) => Promise<Claimed<ClaimedRun>>;

/** Carries out a run that is written so. null: there is no free place, or runs wait for it; then nothing was written. */
export type TakeOne = (workspaceId: string, put: Put) => Promise<ClaimedRun[] | null>;

/** The worker in this process, if it has one: a run that finds a free place there begins as it is written. */
@Injectable()
export class OwnWorker {
  private takeOne: TakeOne | null = null;

  offer(takeOne: TakeOne): void {
    this.takeOne = takeOne;
  }

  /** It is being stopped. */
  withdraw(): void {
    this.takeOne = null;
  }

  /** @returns null: nothing was written; otherwise whether the run was taken */
  async put(workspaceId: string, put: Put): Promise<{ taken: boolean } | null> {
    const runs = (await this.takeOne?.(workspaceId, put)) ?? null;
    return runs && { taken: runs.length > 0 };
  }
}
