import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { RetryResponseRegistry } from '../core/idempotency/index.js';
import { presentAlert } from './alert.presenter.js';
import { ALERT_CHANGED, ALERT_CREATED } from './alert.resources.js';
import { AlertRulesRepository } from './alert-rules.repository.js';

/** The response to a retry of a request that has committed already, made anew from the rule. */
@Injectable()
export class AlertRetryResponses implements OnModuleInit {
  constructor(
    private readonly responses: RetryResponseRegistry,
    private readonly rules: AlertRulesRepository,
  ) {}

  onModuleInit(): void {
    this.responses.register(ALERT_CREATED, (id, caller) => this.of(id, caller, 201));
    this.responses.register(ALERT_CHANGED, (id, caller) => this.of(id, caller, 200));
  }

  private async of(id: string, { workspace }: WorkspaceCaller, status: number) {
    const rule = await this.rules.find(workspace.id, id);
    return rule && { status, body: presentAlert(rule) };
  }
}
