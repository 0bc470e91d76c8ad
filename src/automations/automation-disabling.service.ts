import { Injectable, type OnModuleInit } from '@nestjs/common';

import { AuditTrail, SYSTEM } from '../audit/index.js';
import { AccessLossHooks, SubjectVisibility } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Conflict } from '../core/errors/index.js';
import { type DispatchedEvent, EventConsumers, Outbox } from '../core/outbox/index.js';
import { type AutomatedRunOrder, AutomatedRunsService } from '../runs/index.js';
import type { AutomationKind } from './automation.kind.js';
import type { Automation, AutomationRow } from './automation-entity.js';
import type { AutomationsRepository } from './automations.repository.js';
import { automationIsVisible } from './automations.sql.js';
import { type LostNeeds, NOTHING_LOST, lostNeeds } from './lost-needs.js';

/** A schedule or trigger that is to be disabled. */
export interface RefusedAutomation {
  id: string;
  /** What its `disabledReason` will say. */
  reason: string;
  /** The last run of the chain of triggers that ends with it. */
  causedByRunId?: string | null;
}

/** What each kind does with its own table. */
type AutomationPort = Pick<AutomationsRepository<AutomationRow>, 'table' | 'lockAffected' | 'disable'>;

interface RegisteredKind {
  kind: AutomationKind;
  automations: AutomationPort;
}

/**
 * Disables schedules and triggers whose runs would be refused, and says why. It does so at once when a script is
 * archived, unpublished or kept for teams, an environment is closed to agents, or somebody leaves the workspace or a
 * team. Any other reason is found when a schedule is due or a trigger would fire.
 */
@Injectable()
export class AutomationDisablingService implements OnModuleInit {
  private readonly registered: RegisteredKind[] = [];

  constructor(
    private readonly audit: AuditTrail,
    private readonly runs: AutomatedRunsService,
    private readonly outbox: Outbox,
    private readonly consumers: EventConsumers,
    private readonly losses: AccessLossHooks,
    private readonly visibility: SubjectVisibility,
  ) {}

  onModuleInit(): void {
    this.consumers.register('automations', (events) => this.consume(events));
    this.losses.register((loss) => this.disableAffected(loss));
  }

  /** Has those of a kind disabled as well when they lose what they need, and says who sees what happens to them. */
  register(kind: AutomationKind, automations: AutomationPort): void {
    this.visibility.register(kind.name, automationIsVisible(automations.table));
    this.registered.push({ kind, automations });
    // Every process locks the kinds in the same order.
    this.registered.sort((one, other) => (one.kind.name < other.kind.name ? -1 : 1));
  }

  /** To be called in a transaction. */
  async disable(kind: AutomationKind, refused: readonly RefusedAutomation[]): Promise<void> {
    if (refused.length === 0) return;
    const causes = new Map(refused.map(({ id, causedByRunId }) => [id, causedByRunId ?? undefined]));
    const { automations } = this.registered.find((one) => one.kind === kind)!;
    const disabled = await automations.disable(refused);
    await this.audit.recordMany(
      disabled.map(({ id, workspaceId, name, reason }) => ({
        workspaceId,
        by: SYSTEM,
        action: `${kind.name}.disabled` as const,
        target: { type: kind.name, id },
        details: { name, reason },
      })),
    );
    await this.outbox.addMany(
      disabled.map(({ id, workspaceId, environmentId, name, reason }) => {
        const causedByRunId = causes.get(id);
        const type = `${kind.name}.disabled`;
        return {
          workspaceId,
          environmentId,
          type,
          data: { id, name, reason },
          ...(causedByRunId && { causedByRunId }),
        };
      }),
    );
  }

  /** @throws Conflict where it would be disabled again at once */
  async assertNotRefused(kind: AutomationKind, automation: Automation): Promise<void> {
    const [refused] = await this.refusals(kind, [automation]);
    if (!refused) return;
    throw new Conflict(
      `The ${kind.name} cannot be switched on: ${refused.reason}. Make another one instead.`,
    );
  }

  /** Which of these would be refused now, and why. */
  async refusals(kind: AutomationKind, automations: readonly Automation[]): Promise<RefusedAutomation[]> {
    const trials = automations.map((automation) => trialOrder(kind, automation));
    const reasons = new Map((await this.runs.refusals(trials)).map(({ id, reason }) => [id, reason]));
    return automations.flatMap(({ id }, index) => {
      const reason = reasons.get(trials[index]!.id);
      return reason === undefined ? [] : [{ id, reason }];
    });
  }

  private async consume(events: readonly DispatchedEvent[]): Promise<void> {
    const lost = lostNeeds(events);
    if (lost) await this.disableAffected(lost);
  }

  private async disableAffected(loss: Partial<LostNeeds>): Promise<void> {
    for (const { kind, automations } of this.registered) {
      const affected = await automations.lockAffected({ ...NOTHING_LOST, ...loss });
      await this.disable(kind, await this.refusals(kind, affected));
    }
  }
}

/** The order of a run that is never started. Whether it is refused depends on neither its inputs nor its cause. */
function trialOrder(kind: AutomationKind, automation: Automation): AutomatedRunOrder {
  const origin = kind.origin(automation.id);
  return { ...automation, id: newId('run'), inputs: {}, problem: null, traceparent: null, origin };
}
