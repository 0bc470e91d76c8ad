import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuditActions } from './audit-actions.js';
import { AuditDocs } from './audit-docs.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditEventsService } from './audit-events.service.js';
import { AuditExpiryRepository } from './audit-expiry.repository.js';
import { AuditTrail } from './audit-trail.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';

/** Who changed what: every domain writes it down in the transaction of the change. */
@Global()
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([AuditEvent])],
  controllers: [AuditController],
  providers: [
    AuditActions,
    AuditDocs,
    AuditEventsService,
    AuditExpiryRepository,
    AuditRepository,
    AuditTrail,
  ],
  exports: [AuditActions, AuditTrail],
})
export class AuditModule {}
