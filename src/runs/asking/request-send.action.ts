import {
  ApprovalAction,
  type ApprovalActionProvider,
  inputOf,
  type PerformedRequest,
  type UnperformedRequest,
} from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { Notifications } from '../../core/database/index.js';
import { Conflict } from '../../core/errors/index.js';
import { QUESTION_TOPIC } from '../run.topics.js';
import { QuestionsRepository } from './questions.repository.js';
import { QUESTION_MINUTES, type RequestSendInput } from './request-send.input.js';

const TEXT = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const TEXTS = { type: 'array', items: TEXT };

/** Lets the gate send one request that it holds. Filed by the worker that carries the run out, so nobody asks for it by its id. */
@ApprovalAction()
export class RequestSendAction implements ApprovalActionProvider<RequestSendInput> {
  readonly id = 'request.send';
  readonly title = 'Send a request';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly internal = true;
  readonly lifetimeMinutes = QUESTION_MINUTES;
  readonly inputSchema = inputOf(
    {
      script: TEXT,
      version: { type: 'integer' },
      environment: TEXT,
      attempt: { type: 'integer' },
      method: TEXT,
      address: TEXT,
      query: TEXT_OR_NULL,
      headers: TEXTS,
      body: TEXT_OR_NULL,
      bodyBytes: { type: 'integer' },
      bodyCut: { type: 'boolean' },
      bodySha256: TEXT_OR_NULL,
      sha256: TEXT,
      lastApprovedAt: TEXT_OR_NULL,
      changes: TEXTS,
    },
    { isForgotten: { type: 'boolean' } },
  );

  constructor(
    private readonly questions: QuestionsRepository,
    private readonly notifications: Notifications,
  ) {}

  summarise({ method, address }: RequestSendInput): string {
    return `Send ${method} ${address}.`;
  }

  /** The worker reads the yes, and sends what it holds if that is what was approved. */
  async perform({ attempt }: RequestSendInput, _approver: WorkspaceCaller, request: PerformedRequest) {
    const { id, runId } = request;
    const run = runId === null ? null : await this.questions.lock(runId, attempt);
    if (!run) throw new Conflict('The run does not wait for this any more.');
    await this.notifications.notify(QUESTION_TOPIC, id);
    return { result: { runId } };
  }

  async unperformed(requests: readonly UnperformedRequest<RequestSendInput>[]): Promise<void> {
    await this.notifications.notifyMany(
      QUESTION_TOPIC,
      requests.map(({ id }) => id),
    );
  }
}
