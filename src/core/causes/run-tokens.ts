import { Injectable } from '@nestjs/common';

import { isId, MasterKey } from '../crypto/index.js';
import type { CausingRun } from '../http/index.js';

/** The gate writes it on requests of a script to this service, and on no others. */
export const RUN_HEADER = 'x-gatehouse-run';

const PURPOSE = 'run-cause';
const MOST_CHARACTERS = 300;
const EXPIRY = /^[1-9]\d{9,15}$/;

/** Tokens by which the gate vouches for a run. They open nothing: whoever calls needs a credential besides. */
@Injectable()
export class RunTokens {
  constructor(private readonly masterKey: MasterKey) {}

  issue({ id, workspaceId }: CausingRun, validMs: number): string {
    const text = `${id}.${workspaceId}.${Date.now() + validMs}`;
    return `${text}.${this.masterKey.sign(PURPOSE, text)}`;
  }

  /** null: it is not one of ours, or its time is over. */
  read(token: string): CausingRun | null {
    if (token.length > MOST_CHARACTERS) return null;
    const [id = '', workspaceId = '', until = '', signature = '', ...more] = token.split('.');
    if (more.length > 0 || !this.masterKey.verify(PURPOSE, `${id}.${workspaceId}.${until}`, signature)) {
      return null;
    }
    if (!isId('run', id) || !EXPIRY.test(until) || Number(until) <= Date.now()) return null;
    return { id, workspaceId };
  }
}
