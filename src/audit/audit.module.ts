import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuditDocs } from './audit-docs.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditEventsService } from './audit-events.service.js';
import { AuditTrail } from './audit-trail.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';

/** Who changed what: every domain writes it down in the transaction of the change. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  controllers: [AuditController],
  providers: [AuditDocs, AuditEventsService, AuditRepository, AuditTrail],
  exports: [AuditTrail],
})
export class AuditModule {}
