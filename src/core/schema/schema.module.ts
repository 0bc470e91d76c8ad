import { Global, Module } from '@nestjs/common';

import { SchemaChecks } from './schema-checks.js';

/** Checks against schemas, for whoever takes data that somebody described. */
@Global()
@Module({ providers: [SchemaChecks], exports: [SchemaChecks] })
export class SchemaModule {}
