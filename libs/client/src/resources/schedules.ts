import {
  schedulesChange,
  schedulesCreate,
  schedulesDelete,
  schedulesGet,
  schedulesList,
  schedulesListOfScript,
  schedulesPreview,
} from '../generated/sdk.gen.js';
import type {
  Schedule,
  ScheduleInput,
  SchedulePatch,
  SchedulePreview,
  SchedulesListData,
  SchedulesListOfScriptData,
  SchedulesPreviewData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** When scripts run by themselves. */
export class Schedules {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: SchedulesListData['query'], options?: CallOptions): Pages<Schedule> {
    return this.calls.list(schedulesList<true>, { query }, options);
  }

  /** Of one script, newest first. */
  listOfScript(
    slug: string,
    query?: SchedulesListOfScriptData['query'],
    options?: CallOptions,
  ): Pages<Schedule> {
    return this.calls.list(schedulesListOfScript<true>, { path: { slug }, query }, options);
  }

  create(slug: string, input: ScheduleInput, options?: CallOptions): Promise<Schedule> {
    return this.calls.send(schedulesCreate<true>, { path: { slug }, body: input }, options);
  }

  get(id: string, options?: CallOptions): Promise<Schedule> {
    return this.calls.send(schedulesGet<true>, { path: { id } }, options);
  }

  update(id: string, patch: SchedulePatch, options?: CallOptions): Promise<Schedule> {
    return this.calls.send(schedulesChange<true>, { path: { id }, body: patch }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(schedulesDelete<true>, { path: { id } }, options);
  }

  /** When a cron expression would be due next. */
  preview(query: SchedulesPreviewData['query'], options?: CallOptions): Promise<SchedulePreview> {
    return this.calls.send(schedulesPreview<true>, { query }, options);
  }
}
