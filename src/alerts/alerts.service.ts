import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import { assertConfirmed, type WorkspaceCaller } from '../core/access/index.js';
import { isId, newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { Conflict, InvalidRequest, NotFound } from '../core/errors/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { changedFields, patched } from '../core/json/index.js';
import type { AlertDto, AlertInput, AlertMessageDto, AlertPatch } from './alert.dto.js';
import { presentAlert, presentMessage } from './alert.presenter.js';
import { ALERT_CHANGED, ALERT_CREATED } from './alert.resources.js';
import { AlertDestinationsService } from './alert-destinations.service.js';
import type { AlertRule } from './alert-rule.entity.js';
import { AlertRulesRepository, type AlertRuleRow } from './alert-rules.repository.js';
import { assertTells, checkNotSucceededFor, parseQuietHours, parseSlow } from './alert-settings.js';
import { AlertMessagesRepository } from './sending/alert-messages.repository.js';
import { AlertQueue } from './sending/alert-queue.js';

const MOST_RULES = 50;
const FIELDS = ['name', 'on', 'slow', 'notSucceededFor', 'groupSeconds', 'quietHours', 'enabled'] as const;

type Settings = Pick<AlertRule, (typeof FIELDS)[number]>;
type AlertAction = 'alert.created' | 'alert.updated' | 'alert.deleted' | 'alert.tested';

/** Rules that say who is told of what. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly rules: AlertRulesRepository,
    private readonly messages: AlertMessagesRepository,
    private readonly queue: AlertQueue,
    private readonly destinations: AlertDestinationsService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
  ) {}

  list({ workspace }: WorkspaceCaller, request: PageRequest): Promise<Page<AlertDto>> {
    return keysetPage(
      request,
      { list: 'alerts', filters: { workspaceId: workspace.id } },
      (after, count) => this.rules.list(workspace.id, after, count),
      presentAlert,
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<AlertDto> {
    return presentAlert(await this.find(caller, id));
  }

  async create(caller: WorkspaceCaller, input: AlertInput): Promise<AlertDto> {
    const workspaceId = caller.workspace.id;
    const settings: Settings = {
      name: input.name,
      on: input.on ?? [],
      slow: parseSlow(input.slow ?? null),
      notSucceededFor: checkNotSucceededFor(input.notSucceededFor ?? null),
      groupSeconds: input.groupSeconds ?? 300,
      quietHours: parseQuietHours(input.quietHours ?? null),
      enabled: input.enabled ?? true,
    };
    const destination = await this.destinations.check(workspaceId, input.destination);
    return this.database.transaction(async () => {
      if ((await this.rules.countForOneMore(workspaceId)) >= MOST_RULES)
        throw new Conflict(`A workspace has at most ${MOST_RULES} alert rules. Delete one first.`);
      const subject = await this.subjectOf(workspaceId, input);
      assertTells(settings, subject.scriptId);
      const id = newId('alertRule');
      await this.rules.insert({
        id,
        workspaceId,
        ...settings,
        ...subject,
        ...(await this.destinations.sealed({ id, workspaceId }, destination)),
        deadlineAt: deadlineOf(settings, new Date()),
        createdByUserId: caller.person?.id ?? null,
      });
      const rule = await this.find(caller, id);
      await this.record(caller, 'alert.created', rule, { script: rule.scriptSlug });
      await this.idempotency.commit(ALERT_CREATED, id);
      return presentAlert(rule);
    });
  }

  async change(caller: WorkspaceCaller, id: string, patch: AlertPatch): Promise<AlertDto> {
    const workspaceId = caller.workspace.id;
    await this.find(caller, id);
    const { slow, quietHours, notSucceededFor, destination: given, ...rest } = patch;
    const parsed: Partial<Settings> = {
      ...rest,
      ...(slow !== undefined && { slow: parseSlow(slow) }),
      ...(quietHours !== undefined && { quietHours: parseQuietHours(quietHours) }),
      ...(notSucceededFor !== undefined && { notSucceededFor: checkNotSucceededFor(notSucceededFor) }),
    };
    // A new receiver takes what the first one took.
    if (given) assertConfirmed(caller);
    const destination = given && (await this.destinations.check(workspaceId, given));
    return this.database.transaction(async () => {
      const before = await this.locked(caller, id);
      const settings = patched<Settings>(FIELDS, before, parsed);
      const after = { ...before, ...settings };
      assertTells(after, before.scriptId);
      const changed: string[] = changedFields(FIELDS, before, after);
      if (destination) changed.push('destination');
      if (changed.length > 0) {
        const sealed = destination && (await this.destinations.sealed(before, destination));
        await this.rules.update(id, { ...settings, ...sealed, ...waitingAfter(before, after) });
        if (changed.includes('quietHours')) await this.lookAgain(id);
        await this.record(caller, 'alert.updated', { ...after, ...sealed }, { changed });
      }
      await this.idempotency.commit(ALERT_CHANGED, id);
      return this.get(caller, id);
    });
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const rule = await this.locked(caller, id);
      await this.rules.delete(id);
      await this.record(caller, 'alert.deleted', rule);
    });
  }

  /** @throws Conflict while an earlier test goes on */
  test(caller: WorkspaceCaller, id: string): Promise<AlertMessageDto> {
    return this.database.transaction(async () => {
      const rule = await this.locked(caller, id);
      if (await this.messages.testUnderWay(id))
        throw new Conflict('A test of this rule is under way already.');
      const messageId = await this.queue.addTest(rule);
      await this.record(caller, 'alert.tested', rule);
      return presentMessage((await this.messages.find(messageId))!);
    });
  }

  async listMessages(
    caller: WorkspaceCaller,
    id: string,
    request: PageRequest,
  ): Promise<Page<AlertMessageDto>> {
    await this.find(caller, id);
    return keysetPage(
      request,
      { list: 'alert_messages', filters: { ruleId: id } },
      (after, count) => this.messages.list(id, after, count),
      presentMessage,
    );
  }

  private async find({ workspace }: WorkspaceCaller, id: string): Promise<AlertRuleRow> {
    const rule = isId('alertRule', id) ? await this.rules.find(workspace.id, id) : null;
    if (!rule) throw new NotFound('alert rule');
    return rule;
  }

  private async locked({ workspace }: WorkspaceCaller, id: string): Promise<AlertRule> {
    const rule = isId('alertRule', id) ? await this.rules.lock(workspace.id, id) : null;
    if (!rule) throw new NotFound('alert rule');
    return rule;
  }

  /** What a rule is about; both null: all that happens in the workspace. */
  private async subjectOf(
    workspaceId: string,
    { script: slug = null, schedule: scheduleId = null }: AlertInput,
  ): Promise<Pick<AlertRule, 'scriptId' | 'scheduleId'>> {
    if (slug !== null && scheduleId !== null)
      throw InvalidRequest.at('schedule', 'must not be given with a script: it has one');
    if (slug !== null) {
      const script = await this.rules.script(workspaceId, slug);
      if (!script) throw InvalidRequest.at('script', 'is not the slug of a script of this workspace');
      return { scriptId: script.id, scheduleId: null };
    }
    if (scheduleId === null) return { scriptId: null, scheduleId: null };
    const schedule = isId('schedule', scheduleId) ? await this.rules.schedule(workspaceId, scheduleId) : null;
    if (!schedule) throw InvalidRequest.at('schedule', 'is not the id of a schedule of this workspace');
    return { scriptId: schedule.scriptId, scheduleId };
  }

  /** What waits is held against the new quiet hours. */
  private async lookAgain(ruleId: string): Promise<void> {
    await this.messages.hurry(ruleId);
  }

  private record(
    caller: WorkspaceCaller,
    action: AlertAction,
    { id, name, channel, host }: Pick<AlertRule, 'id' | 'name' | 'channel' | 'host'>,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'alert', id };
    return this.audit.record(caller.workspace.id, caller, action, target, {
      name,
      channel,
      host,
      ...details,
    });
  }
}

function deadlineOf({ enabled, notSucceededFor }: Settings, since: Date): Date | null {
  return enabled && notSucceededFor !== null ? new Date(since.getTime() + notSucceededFor * 1000) : null;
}

/** A rule that begins to wait for a success, or waits for another time, begins anew. */
function waitingAfter(before: AlertRule, after: AlertRule): Partial<AlertRule> {
  const same = before.enabled === after.enabled && before.notSucceededFor === after.notSucceededFor;
  if (same) return {};
  const now = new Date();
  return { lastSuccessAt: now, deadlineAt: deadlineOf(after, now) };
}
