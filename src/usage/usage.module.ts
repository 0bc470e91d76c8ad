import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AgentBudgetMailer } from './budgets/agent-budget-mailer.js';
import { AgentBudgetsService } from './budgets/agent-budgets.service.js';
import { AgentCounter } from './budgets/agent-counter.entity.js';
import { AgentCountersRepository } from './budgets/agent-counters.repository.js';
import { PlanLimits } from './plan-limits.js';
import { UsageCounter } from './usage-counter.entity.js';
import { UsageWarningMailer } from './usage-warning-mailer.js';
import { UsageWarningsRepository } from './usage-warnings.repository.js';
import { UsageController } from './usage.controller.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';

/** What workspaces use, and how much they may: every domain counts its own. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AgentCounter, UsageCounter])],
  controllers: [UsageController],
  providers: [
    AgentBudgetMailer,
    AgentBudgetsService,
    AgentCountersRepository,
    PlanLimits,
    UsageRepository,
    UsageService,
    UsageWarningMailer,
    UsageWarningsRepository,
  ],
  exports: [AgentBudgetsService, PlanLimits, UsageService],
})
export class UsageModule {}
