import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import { Loop } from '../core/work/index.js';
import { MailService } from '../core/mail/index.js';
import { METERS } from './meters.js';
import { PlanLimits } from './plan-limits.js';
import { NEAR, noticeOf } from './usage-notices.js';
import { usagePeriod } from './usage-period.js';
import { UsageWarningsRepository, type WorkspaceOwner } from './usage-warnings.repository.js';
import type { UsageWarning } from './usage-warnings.sql.js';

const EVERY_MS = 20_000;
const BATCH = 100;
/** Far enough below that files that come and go do not make a mail each time. */
const FORGOTTEN_BELOW = 0.7;

/** Writes to the owners of a workspace that has come near a limit: once in a period for each meter. */
@Injectable()
export class UsageWarningMailer {
  constructor(
    private readonly warnings: UsageWarningsRepository,
    private readonly plans: PlanLimits,
    private readonly mails: MailService,
    private readonly database: Database,
  ) {}

  @Loop({ every: EVERY_MS })
  async warn(): Promise<boolean> {
    if (!this.mails.enabled || !METERS.some((meter) => this.plans.isLimited(meter))) return false;
    await this.warnings.forget(this.plans.limitsByMeter(), FORGOTTEN_BELOW);
    return (await this.database.transaction(() => this.warnSome())) === BATCH;
  }

  private async warnSome(): Promise<number> {
    const near = await this.warnings.claim(this.plans.limitsByMeter(), NEAR, BATCH);
    if (near.length === 0) return 0;
    const owners = await this.warnings.owners(near.map(({ workspaceId }) => workspaceId));
    const mails = near.flatMap((warning) =>
      owners
        .filter(({ workspaceId }) => workspaceId === warning.workspaceId)
        .map((owner) => mailOf(warning, owner)),
    );
    await this.mails.queue(...mails);
    return near.length;
  }
}

function mailOf(warning: UsageWarning, { name, email }: WorkspaceOwner) {
  const { workspaceId, workspaceName, createdAt, periodStart } = warning;
  const notice = noticeOf(warning, usagePeriod(createdAt, periodStart).end) ?? '';
  return {
    workspaceId,
    to: email,
    subject: `${workspaceName} is near a limit of its plan`,
    text: [`Hello ${name},`, '', `of the workspace ${workspaceName}:`, '', notice, ''].join('\n'),
  };
}
