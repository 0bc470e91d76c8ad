import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { LargeBodyParser } from './large-body-parser.js';
import { MethodNotAllowedCheck } from './method-not-allowed-check.js';
import { Routes } from './routes.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [LargeBodyParser, Routes, MethodNotAllowedCheck],
  exports: [LargeBodyParser, Routes, MethodNotAllowedCheck],
})
export class HttpModule {}
