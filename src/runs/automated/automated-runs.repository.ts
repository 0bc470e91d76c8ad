import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import { type AuditEntry, SYSTEM, auditEvents } from '../../audit/index.js';
import type { ApprovalPolicy, Role } from '../../core/access/index.js';
import { arraysOf, Database } from '../../core/database/index.js';
import { stringifyJson } from '../../core/json/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import { type AskRule, type Script, type ScriptStatus, ScriptVersion } from '../../scripts/index.js';
import { Run } from '../run.entity.js';
import { RUN_TURNS } from '../turns/run-turn.rules.js';
import type { AutomatedRunOrder, CausingRun } from './automated-run-order.js';
import { type AutomatedRun, CIRCUMSTANCES, INSERT } from './automated-runs.sql.js';

/** Everything that decides about an order, as it is now. */
export interface OrderCircumstances {
  id: string;
  slug: string;
  name: string;
  ownerUserId: string | null;
  status: ScriptStatus;
  scriptPolicy: ApprovalPolicy;
  ask: AskRule | null;
  queue: string | null;
  /** The workspace's. */
  plan: string;
  versionId: string | null;
  environment: string;
  environmentPolicy: ApprovalPolicy;
  agentsAllowed: boolean;
  /** The environment or the workspace is deleted. */
  gone: boolean;
  /** The creator's role in the workspace; `admin` for an API key's order, null where the creator has left. */
  role: Role | null;
  visible: boolean;
}

const VERSION = {
  id: true,
  number: true,
  command: true,
  hosts: true,
  hostRules: true,
  secrets: true,
  inputSchema: true,
  retry: true,
  concurrency: true,
  debounce: true,
  labels: true,
  timeoutSeconds: true,
  resources: true,
} as const;
export type RunnableVersion = Pick<ScriptVersion, keyof typeof VERSION> & { script?: Pick<Script, 'ask'> };

@Injectable()
export class AutomatedRunsRepository {
  constructor(
    @InjectRepository(ScriptVersion) private readonly scriptVersions: Repository<ScriptVersion>,
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly waker: Waker,
  ) {}

  circumstances(orders: readonly AutomatedRunOrder[]): Promise<OrderCircumstances[]> {
    return this.database.query<OrderCircumstances>(
      CIRCUMSTANCES,
      arraysOf(orders, 'id', 'workspaceId', 'environmentId', 'scriptId', 'createdByUserId'),
    );
  }

  versions(ids: readonly string[]): Promise<RunnableVersion[]> {
    const select = { ...VERSION, script: { ask: true } };
    return this.scriptVersions.find({ select, relations: { script: true }, where: { id: Any([...ids]) } });
  }

  causingRun(workspaceId: string, id: string): Promise<CausingRun | null> {
    const select = { id: true, hops: true, chainEventId: true, byAgent: true } as const;
    return this.runs.findOne({ select, where: { id, workspaceId } });
  }

  /** Writes the runs with their events, audit events and counts, in one statement. */
  async insert(runs: readonly AutomatedRun[], entries = entriesOf(runs)): Promise<void> {
    const given = { runs: stringifyJson(runs), auditEvents: auditEvents(entries) };
    const waiting = await this.database.query<{ key: string }>(...INSERT(given));
    this.outbox.wake();
    if (waiting.length > 0) {
      this.waker.wake(
        RUN_TURNS,
        waiting.map(({ key }) => key),
      );
    }
  }
}

/** Each start has one, also where several are one run. */
export function entriesOf(
  runs: readonly Pick<AutomatedRun, 'id' | 'workspaceId' | 'startedByUserId'>[],
): AuditEntry[] {
  return runs.map(({ id, workspaceId, startedByUserId: userId }) => ({
    workspaceId,
    by: { ...SYSTEM, userId },
    action: 'run.started' as const,
    target: { type: 'run', id },
  }));
}
