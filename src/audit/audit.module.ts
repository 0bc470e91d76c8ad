import { Global, Module } from '@nestjs/common';

import { AuditDocs } from './audit-docs.js';
import { AuditEvents } from './audit-events.service.js';
import { AuditTrail } from './audit-trail.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';

/** Who changed what: every domain writes it down in the transaction of the change. */
@Global()
@Module({
  controllers: [AuditController],
  providers: [AuditDocs, AuditEvents, AuditRepository, AuditTrail],
  exports: [AuditTrail],
})
export class AuditModule {}
