import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../access/caller.js';

/** What a finished resource answers to a retry; null while the first request is still waiting for it. */
export type ResourceAnswer = (
  id: string,
  caller: WorkspaceCaller,
) => Promise<{ status: number; body: unknown } | null>;

/** Domains whose routes wait for the outside world say here how to answer a retry from what was committed. */
@Injectable()
export class ResourceAnswers {
  private readonly answers = new Map<string, ResourceAnswer>();

  register(kind: string, answer: ResourceAnswer): void {
    this.answers.set(kind, answer);
  }

  async of(kind: string, id: string, caller: WorkspaceCaller): ReturnType<ResourceAnswer> {
    return (await this.answers.get(kind)?.(id, caller)) ?? null;
  }
}
