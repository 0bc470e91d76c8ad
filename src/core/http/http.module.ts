import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { LargeBodies } from './large-bodies.js';
import { RouteTable } from './route-table.js';
import { Routes } from './routes.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [LargeBodies, Routes, RouteTable],
  exports: [LargeBodies, Routes, RouteTable],
})
export class HttpModule {}
