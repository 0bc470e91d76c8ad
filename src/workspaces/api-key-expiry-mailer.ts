import { Injectable } from '@nestjs/common';

import { credentialExpiryMail } from '../auth/index.js';
import { Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import { MailService } from '../core/mail/index.js';
import { Loop } from '../core/work/index.js';
import { ApiKeysRepository, type EndingKeys, type KeyKeeper } from './api-keys.repository.js';

const EVERY_MS = 60_000;

/**
 * Writes a week before keys of a workspace end: one mail, however many there are, to whoever made them, and to the owners
 * where that person has left.
 */
@Injectable()
export class ApiKeyExpiryMailer {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly mails: MailService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Goes on until no workspace is left. */
  @Loop({ every: EVERY_MS })
  async tell(): Promise<boolean> {
    return this.mails.enabled && (await this.database.transaction(() => this.tellSome()));
  }

  private async tellSome(): Promise<boolean> {
    const ending = await this.keys.claimEnding();
    const keepers = await this.keys.keepers(
      [...new Set(ending.map(({ workspaceId }) => workspaceId))],
      ending.flatMap(({ createdByUserId }) => createdByUserId ?? []),
    );
    const mails = keepers.flatMap((keeper) => {
      const theirs = ending.filter((keys) => concerns(keys, keeper, keepers));
      return theirs.length > 0 ? [this.mailOf(theirs, keeper)] : [];
    });
    await this.mails.queue(...mails);
    return ending.length > 0;
  }

  private mailOf(ending: readonly EndingKeys[], keeper: KeyKeeper) {
    const { workspaceId, workspaceName, workspaceSlug } = keeper;
    const page = `${this.settings.baseUrl}/w/${workspaceSlug}/-/settings/api-keys`;
    const where = `They act for the workspace ${workspaceName}, whose keys are at ${page}`;
    return { workspaceId, ...credentialExpiryMail(keeper, 'API key', ending, where) };
  }
}

function concerns(keys: EndingKeys, keeper: KeyKeeper, keepers: readonly KeyKeeper[]): boolean {
  if (keeper.workspaceId !== keys.workspaceId) return false;
  const isMaker = ({ workspaceId, userId }: KeyKeeper): boolean =>
    workspaceId === keys.workspaceId && userId === keys.createdByUserId;
  return isMaker(keeper) || (keeper.role === 'owner' && !keepers.some(isMaker));
}
