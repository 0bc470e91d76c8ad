import { Injectable } from '@nestjs/common';

import { actorOf } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { Outbox } from '../core/outbox/outbox.js';

export type ScriptEventType = 'script.created' | 'script.published' | 'script.archived';

/** Tells the rest of the world what happened to a script, in the transaction in which it does. */
@Injectable()
export class ScriptEvents {
  constructor(private readonly outbox: Outbox) {}

  /** `version`: the one that it is about; null where it is about none. */
  async tell(
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
