import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { cutText } from '../../../libs/cut-text/index.js';
import type { HeldRequest, Refusal } from '../../../libs/egress/index.js';
import { type ApprovedBefore, ApprovalsService } from '../../approvals/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { inlineText, nameText } from '../../notifications/index.js';
import { askerOfRun } from '../asker-of-run.js';
import { changedLines } from './changed-lines.js';
import { notApproved, tooMany } from './question-refusals.js';
import { QuestionsRepository } from './questions.repository.js';
import type { AskingRun } from './questions.sql.js';
import type { QuestionedRun } from './questioned-run.js';
import { QUESTION_MINUTES, type RequestSendInput } from './request-send.input.js';
import { type Masking, type ShownRequest, shownRequest } from './shown-request.js';

/** Of one run, whatever became of them. */
const MOST_OF_RUN = 20;
/** Of one workspace, at a time. */
const MOST_PENDING = 100;

/** What was asked, or why it was not; `isFull`: nothing further is asked of the run. */
type Asked = { id: string; approveUrl: string } | { refusal: Refusal; isFull?: true };

/** How the worker of a run asks people about requests, and learns what they decided. */
@Injectable()
export class QuestionsService {
  constructor(
    private readonly questions: QuestionsRepository,
    private readonly approvals: ApprovalsService,
    private readonly database: Database,
  ) {}

  async file(run: QuestionedRun, request: HeldRequest, masker: Masking): Promise<Asked> {
    return this.database.transaction(async () => {
      await this.database.lock(`questions of ${run.workspaceId}`);
      const asking = await this.questions.lock(run.id, run.attempt);
      if (!asking) return { refusal: notApproved('its run is over') };
      if (asking.asked >= MOST_OF_RUN)
        return { refusal: tooMany(`a run asks people about at most ${MOST_OF_RUN} requests`), isFull: true };
      if (asking.pending >= MOST_PENDING)
        return { refusal: tooMany(`${MOST_PENDING} requests of the workspace wait for people already`) };
      const shown = shownRequest(request, masker);
      const comparedBy = placeOf(run, shown);
      const input = inputOf(run, shown, await this.approvals.lastApproved(comparedBy));
      return this.approvals.file({
        id: newId('approval'),
        workspaceId: run.workspaceId,
        environmentId: run.environmentId,
        action: 'request.send',
        summary: summaryOf(run, asking, input),
        input,
        comparedBy,
        reason:
          'The host rule of the version that fits this request asks (`ask`): a person has to approve it.',
        asker: askerOfRun(asking),
        runId: run.id,
        script: { id: run.scriptId, ownerUserId: asking.ownerUserId },
      });
    });
  }

  /** null: nobody has decided yet. A yes counts only for exactly what is held. */
  async verdict(run: QuestionedRun, id: string, sha256: string): Promise<{ refusal: Refusal | null } | null> {
    const request = await this.approvals.find(run.workspaceId, id);
    if (request?.status === 'pending') return null;
    if (!request || request.status === 'expired')
      return { refusal: notApproved(`nobody approved it within ${QUESTION_MINUTES} minutes`) };
    if (request.status === 'denied') {
      const why = request.decisionReason === null ? '' : `: ${request.decisionReason}`;
      return { refusal: notApproved(`a person denied it${why}`) };
    }
    const isApproved = request.status === 'completed' && request.input['sha256'] === sha256;
    return { refusal: isApproved ? null : notApproved('it could not be sent when it was approved') };
  }

  withdraw(id: string): Promise<void> {
    return this.approvals.expire([id]);
  }
}

/** The same for what a script sends to the same place in an environment. */
function placeOf(
  { workspaceId, scriptId, environmentId }: QuestionedRun,
  { method, address }: ShownRequest,
): string {
  const place = JSON.stringify([workspaceId, scriptId, environmentId, method, address]);
  return createHash('sha256').update(place).digest('hex');
}

function inputOf(run: QuestionedRun, shown: ShownRequest, before: ApprovedBefore | null): RequestSendInput {
  const { scriptSlug: script, version, environmentName: environment, attempt } = run;
  return {
    ...{ script, version, environment, attempt },
    ...shown,
    lastApprovedAt: before?.decidedAt?.toISOString() ?? null,
    changes: before ? changedLines(shown, before.input as RequestSendInput) : [],
  };
}

const LONGEST_ADDRESS = 500;

function summaryOf(
  { scriptSlug, version, environmentName }: QuestionedRun,
  { scriptName }: AskingRun,
  { method, address, bodyBytes, lastApprovedAt, changes }: RequestSendInput,
): string {
  const what = `${method} ${inlineText(cutText(address, LONGEST_ADDRESS, '…'))}, with ${bodyBytes === 0 ? 'no body' : `a body of ${bodyBytes} bytes`}`;
  const who = `version ${version} of the script ${nameText(scriptName)} (${scriptSlug}) in ${inlineText(environmentName)}`;
  const last =
    lastApprovedAt === null
      ? 'None like it is known that was approved before.'
      : `It ${changes.length === 0 ? 'is the same as' : 'differs from'} the one that was approved on ${lastApprovedAt}.`;
  return `Send ${what}, for ${who}. ${last}`;
}
