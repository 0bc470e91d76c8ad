import { Injectable } from '@nestjs/common';

import { cutText } from '../../../libs/cut-text/index.js';
import { Settings } from '../../core/config/index.js';
import { WorkspaceKeysService } from '../../core/keys/index.js';
import { type AlertNotice, inlineText } from '../../notifications/index.js';
import { RunLogService } from '../../runs/index.js';
import type { AlertRule } from '../alert-rule.entity.js';
import { AlertRulesRepository } from '../alert-rules.repository.js';
import type { AlertMessage } from './alert-message.entity.js';

const LOG_LINES = 20;
const LONGEST_LINE = 500;

/** What a message says, and where it goes, read when it is sent. */
@Injectable()
export class AlertNoticeReader {
  constructor(
    private readonly rules: AlertRulesRepository,
    private readonly log: RunLogService,
    private readonly keys: WorkspaceKeysService,
    private readonly settings: Settings,
  ) {}

  /** null: its workspace is gone. */
  async notice(rule: AlertRule, message: AlertMessage): Promise<AlertNotice | null> {
    const workspace = await this.rules.workspace(rule.workspaceId);
    if (!workspace) return null;
    const { id, test, incident, count, conditions, events, runId } = message;
    const pages = `${this.settings.baseUrl}/w/${workspace.slug}/-`;
    return {
      id,
      test,
      workspace,
      rule: { id: rule.id, name: rule.name },
      incident: incident === '' ? null : incident,
      title: titleOf(rule, message),
      count,
      conditions,
      events,
      log:
        runId === null
          ? []
          : (await this.log.tail(runId, LOG_LINES)).map((line) => cutText(line, LONGEST_LINE, '…')),
      link: runId === null ? `${pages}/settings/alerts` : `${pages}/runs/${runId}`,
    };
  }

  async url({ id, workspaceId, sealedUrl }: AlertRule): Promise<string | null> {
    return sealedUrl && (await this.keys.of(workspaceId)).open(sealedUrl, placeOfUrl(id));
  }

  /** Addresses of those who are still members. */
  recipients({ workspaceId, recipients }: AlertRule): Promise<string[]> {
    return this.rules.addresses(workspaceId, recipients);
  }
}

/** Bound to its rule: moved to another row, it does not open. */
export function placeOfUrl(ruleId: string): string[] {
  return ['alert_rule', ruleId];
}

function titleOf({ name }: AlertRule, { test, incident, count, conditions, events }: AlertMessage): string {
  if (test) return `A test of the alert rule ${inlineText(name)}`;
  if (count === 1) return events[0]!.text;
  if (incident !== '') return events.at(-1)!.text;
  const counts = Object.entries(conditions).map(([condition, number]) => `${number} × ${condition}`);
  return `${inlineText(name)}: ${counts.join(', ')}`;
}
