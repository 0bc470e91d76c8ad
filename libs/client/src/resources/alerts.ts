import {
  alertsChange,
  alertsCreate,
  alertsDelete,
  alertsGet,
  alertsList,
  alertsListMessages,
  alertsTest,
} from '../generated/sdk.gen.js';
import type {
  Alert,
  AlertInput,
  AlertMessage,
  AlertPatch,
  AlertsListData,
  AlertsListMessagesData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Rules by which people are told of what goes wrong. */
export class Alerts {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: AlertsListData['query'], options?: CallOptions): Pages<Alert> {
    return this.calls.list(alertsList<true>, { query }, options);
  }

  /** The address of its destination is a secret: only the host is shown from then on. */
  create(input: AlertInput, options?: CallOptions): Promise<Alert> {
    return this.calls.send(alertsCreate<true>, { body: input }, options);
  }

  get(id: string, options?: CallOptions): Promise<Alert> {
    return this.calls.send(alertsGet<true>, { path: { id } }, options);
  }

  update(id: string, patch: AlertPatch, options?: CallOptions): Promise<Alert> {
    return this.calls.send(alertsChange<true>, { path: { id }, body: patch }, options);
  }

  /** With its messages, also those that wait. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(alertsDelete<true>, { path: { id } }, options);
  }

  /** Sends a test. What became of it is in the list of messages. */
  test(id: string, options?: CallOptions): Promise<AlertMessage> {
    return this.calls.send(alertsTest<true>, { path: { id } }, options);
  }

  /** What was told, newest first. */
  messages(id: string, query?: AlertsListMessagesData['query'], options?: CallOptions): Pages<AlertMessage> {
    return this.calls.list(alertsListMessages<true>, { path: { id }, query }, options);
  }
}
