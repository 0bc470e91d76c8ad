import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { LogSinkEntry } from './log-sink-entry.entity.js';
import { LogSinkMetrics } from './log-sink-metrics.js';
import { LogSinkSender } from './log-sink-sender.js';
import { LogSink } from './log-sink.entity.js';
import { LogSinkRepository } from './log-sink.repository.js';
import { RunEndCollector } from './run-end-collector.js';

/** Entries of the audit trail and ends of runs, sent to where the operator keeps such things. */
@Module({
  imports: [TypeOrmModule.forFeature([LogSink, LogSinkEntry])],
  providers: [LogSinkMetrics, LogSinkRepository, LogSinkSender, RunEndCollector],
})
export class LogSinkModule {}
