import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../access/index.js';

export interface ResourceResponse {
  status: number;
  body: unknown;
}

/** The response to a retry, made from the committed resource; null while the first request still waits for it. */
type ResourceReader = (id: string, caller: WorkspaceCaller) => Promise<ResourceResponse | null>;

/** Domains whose routes wait for the outside world register here how a retry gets its response. */
@Injectable()
export class RetryResponseRegistry {
  private readonly readers = new Map<string, ResourceReader>();

  register(kind: string, reader: ResourceReader): void {
    this.readers.set(kind, reader);
  }

  async of(kind: string, id: string, caller: WorkspaceCaller): Promise<ResourceResponse | null> {
    return (await this.readers.get(kind)?.(id, caller)) ?? null;
  }
}
