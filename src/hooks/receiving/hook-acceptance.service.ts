import { Injectable, Logger } from '@nestjs/common';

import { AutomationDisablingService } from '../../automations/index.js';
import { Database } from '../../core/database/index.js';
import { errorText } from '../../core/errors/index.js';
import { Batcher } from '../../core/work/index.js';
import { type AutomatedRunOrder, AutomatedRunsService, RunBacklog } from '../../runs/index.js';
import { HOOK } from '../hook.kind.js';
import { HooksRepository } from '../hooks.repository.js';
import { HookReceiptsRepository, type NewReceipt, type Sighting } from './hook-receipts.repository.js';

/** A request that is verified, and what it would start. */
export interface Acceptance {
  receipt: NewReceipt;
  /** By what it is known again; null: its sender gives its requests no names. */
  key: Buffer | null;
  /** null: it starts nothing. */
  order: AutomatedRunOrder | null;
}

/**
 * What became of it: `taken` with the run that it started, if any; `gone`: its hook was switched off meanwhile; `full`: the
 * workspace has no room for another run; `changed`: the script was published anew, so that its inputs have to be checked again.
 */
type Accepted =
  { outcome: 'taken'; runId: string | null } | { outcome: 'gone' | 'full' | 'changed' | 'failed' };

/** Undoes what was begun: it is done again with what the script has become. */
class ScriptChanged extends Error {}

/** Bodies from here on go in small batches: a statement has no more than some megabytes. */
const LARGE = 65_536;

/** Writes receipts together with the runs that they start: one commit for all requests that come at about the same time. */
@Injectable()
export class HookAcceptanceService {
  private readonly logger = new Logger('Hooks');
  private readonly small = new Batcher<Acceptance, Accepted>((batch) => this.acceptAll(batch), {
    most: 50,
    atOnce: 2,
  });
  private readonly large = new Batcher<Acceptance, Accepted>((batch) => this.acceptAll(batch), {
    most: 3,
    atOnce: 1,
  });

  constructor(
    private readonly hooks: HooksRepository,
    private readonly receipts: HookReceiptsRepository,
    private readonly runs: AutomatedRunsService,
    private readonly backlog: RunBacklog,
    private readonly disabling: AutomationDisablingService,
    private readonly database: Database,
  ) {}

  accept(acceptance: Acceptance): Promise<Accepted> {
    return (acceptance.receipt.bodyBytes < LARGE ? this.small : this.large).add(acceptance);
  }

  /** What cannot be written fails alone, and takes nothing along that came with it. */
  private async acceptAll(batch: readonly Acceptance[]): Promise<Accepted[]> {
    try {
      return await this.write(batch);
    } catch (error) {
      if (batch.length > 1) return Promise.all(batch.map((acceptance) => this.acceptAlone(acceptance)));
      if (error instanceof ScriptChanged) return [{ outcome: 'changed' }];
      throw error;
    }
  }

  private async acceptAlone(acceptance: Acceptance): Promise<Accepted> {
    try {
      return (await this.acceptAll([acceptance]))[0]!;
    } catch (error) {
      this.logger.error(`A request to ${acceptance.receipt.hookId} could not be taken: ${errorText(error)}`);
      return { outcome: 'failed' };
    }
  }

  private write(batch: readonly Acceptance[]): Promise<Accepted[]> {
    return this.database.transaction(async () => {
      const enabled = await this.hooks.lockEnabled([...new Set(batch.map(({ receipt }) => receipt.hookId))]);
      const ordering = batch.filter(({ order }) => order !== null);
      const full = await this.backlog.full(ordering.map(({ receipt }) => receipt.workspaceId));
      const outcomes = batch.map(({ receipt, order }): Accepted | null => {
        if (!enabled.has(receipt.hookId)) return { outcome: 'gone' };
        return order && full.has(receipt.workspaceId) ? { outcome: 'full' } : null;
      });
      const open = batch.filter((_, index) => outcomes[index] === null);
      const isNew = await this.seen(open);
      const orders = open.filter((each) => isNew(each)).flatMap(({ order }) => order ?? []);
      const { refused, changed, runIds } = await this.runs.start(orders);
      if (changed.length > 0) throw new ScriptChanged();
      const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
      const written = open.map((each) => receiptOf(each, isNew(each), reasons, runIds));
      if (written.length > 0) await this.receipts.insert(written);
      await this.hooks.markReceived([...new Set(written.map(({ hookId }) => hookId))]);
      const refusals = open.flatMap(({ order, receipt: { hookId: id } }) => {
        const reason = order ? reasons.get(order.id) : undefined;
        return reason === undefined ? [] : [[id, { id, reason }] as const];
      });
      await this.disabling.disable(HOOK, [...new Map(refusals).values()]);
      const byId = new Map(written.map((receipt) => [receipt.id, receipt]));
      return batch.map(({ receipt: { id } }, index) => {
        const outcome = outcomes[index];
        if (outcome) return outcome;
        const { verdict, runId } = byId.get(id)!;
        return verdict === 'refused' ? { outcome: 'gone' } : { outcome: 'taken', runId };
      });
    });
  }

  /** Says which of them come for the first time. Of two that are the same, the first does. */
  private async seen(batch: readonly Acceptance[]): Promise<(acceptance: Acceptance) => boolean> {
    const firsts = new Map<string, Acceptance>();
    const sightings: Sighting[] = [];
    for (const acceptance of batch) {
      const { key, receipt } = acceptance;
      if (key === null || firsts.has(nameOf({ hookId: receipt.hookId, key }))) continue;
      firsts.set(nameOf({ hookId: receipt.hookId, key }), acceptance);
      sightings.push({ hookId: receipt.hookId, key });
    }
    if (sightings.length === 0) return () => true;
    const fresh = new Set((await this.receipts.see(sightings)).map(nameOf));
    return (acceptance) => {
      const { key, receipt } = acceptance;
      if (key === null) return true;
      const name = nameOf({ hookId: receipt.hookId, key });
      return fresh.has(name) && firsts.get(name) === acceptance;
    };
  }
}

function nameOf({ hookId, key }: Sighting): string {
  return `${hookId} ${key.toString('hex')}`;
}

function receiptOf(
  { receipt, order }: Acceptance,
  isNew: boolean,
  refused: ReadonlyMap<string, string>,
  runIds: ReadonlyMap<string, string>,
): NewReceipt {
  if (!isNew) return { ...receipt, verdict: 'duplicate', reason: null };
  if (!order) return receipt;
  const reason = refused.get(order.id);
  if (reason !== undefined) return { ...receipt, verdict: 'refused', reason };
  return { ...receipt, runId: runIds.get(order.id) ?? order.id };
}
