import { Injectable } from '@nestjs/common';

import { actorOf } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Outbox } from '../core/outbox/index.js';

export type ScriptEventType = 'script.created' | 'script.published' | 'script.archived';

/** Writes down what happened to a script as an event, in the transaction in which it happens. */
@Injectable()
export class ScriptEventWriter {
  constructor(private readonly outbox: Outbox) {}

  /** @param version the number of the version that it is about; null where it is about none */
  async add(
    type: ScriptEventType,
    caller: WorkspaceCaller,
    script: { id: string; slug: string; name: string },
    version: number | null,
  ): Promise<void> {
    const { id, slug, name } = script;
    const { userId, credentialType, credentialName } = actorOf(caller);
    await this.outbox.add({
      workspaceId: caller.workspace.id,
      environmentId: null,
      type,
      data: { script: { id, slug, name }, version, by: { userId, credentialType, credentialName } },
    });
  }
}
