import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Database } from '../database/index.js';
import { Threads } from '../threads/index.js';
import { WHOM_IT_COUNTS_FOR } from './fair-claim.sql.js';

/** A workspace that changes hands counts for its former owner for so long. */
const KNOWN_MS = 60_000;
const MOST_KNOWN = 10_000;

/** Whom workspaces count for where turns are taken in memory: their owners, as in claims. */
@Injectable()
export class WorkspaceOwners implements OnModuleInit {
  private readonly known = new Map<string, { owner: string; until: number }>();

  constructor(
    private readonly database: Database,
    private readonly threads: Threads,
  ) {}

  onModuleInit(): void {
    this.threads.countBy((id) => this.of(id));
  }

  /** What is no workspace, and what cannot be looked up just now, counts for itself. */
  async of(id: string): Promise<string> {
    const known = this.known.get(id);
    if (known && performance.now() < known.until) return known.owner;
    try {
      const { owner } = (await this.database.one<{ owner: string }>(WHOM_IT_COUNTS_FOR, [id]))!;
      if (this.known.size >= MOST_KNOWN) this.known.clear();
      this.known.set(id, { owner, until: performance.now() + KNOWN_MS });
      return owner;
    } catch {
      return id;
    }
  }
}
