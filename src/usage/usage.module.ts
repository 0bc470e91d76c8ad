import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

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
  imports: [TypeOrmModule.forFeature([UsageCounter])],
  controllers: [UsageController],
  providers: [PlanLimits, UsageRepository, UsageService, UsageWarningMailer, UsageWarningsRepository],
  exports: [PlanLimits, UsageService],
})
export class UsageModule {}
