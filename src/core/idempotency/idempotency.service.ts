import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../access/index.js';
import { MasterKey, randomText } from '../crypto/index.js';
import { type ErrorCode, type ErrorDetail, InvalidRequest, ProblemError } from '../errors/index.js';
import { type GatehouseRequest, singleHeader } from '../http/index.js';
import { RawJson, stringifyJson } from '../json/index.js';
import { InstanceHeartbeat, Loop } from '../work/index.js';
import type { IdempotencyKey } from './idempotency-key.entity.js';
import { type HeldKey, IdempotencyRepository, type KeyName } from './idempotency.repository.js';
import { type ResourceResponse, RetryResponseRegistry } from './retry-response-registry.js';

const PURPOSE = 'idempotency';
const FINGERPRINT_PURPOSE = 'idempotency-fingerprint';
const SWEEP_EVERY_MS = 10_000;

interface KeyInUse {
  key: HeldKey;
  /** The response has been stored already, in the transaction of the change. */
  completed: boolean;
}

/** A response as its JSON text: parsed into a value, its numbers could change. `value` is an empty one. */
type StoredResponse =
  | { json: string }
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; details?: ErrorDetail[] } };

/** Stores the response to each `Idempotency-Key`, so that a request that is sent twice acts once. */
@Injectable()
export class IdempotencyService {
  private readonly scope = new AsyncLocalStorage<KeyInUse>();
  /** The holders of keys of the requests in progress. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly masterKey: MasterKey,
    private readonly instance: InstanceHeartbeat,
    private readonly resources: RetryResponseRegistry,
  ) {}

  /** The key that a request names, or null. Its form is checked even where nothing is stored under it. */
  readKey(request: GatehouseRequest): string | null {
    const key = singleHeader(request, 'idempotency-key');
    if (key !== null && !/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw InvalidRequest.at('idempotency-key', 'takes 1 to 255 printable ASCII characters');
    }
    return key;
  }

  /** The same with the credential, since each credential has its own keys. */
  keyOf(request: GatehouseRequest, credentialId: string): KeyName | null {
    const key = this.readKey(request);
    return key === null ? null : { credentialId, key };
  }

  /** Depends on the master key: nobody who reads the database can try out which body it was made of. */
  fingerprint(request: GatehouseRequest, body: Buffer | string): Buffer {
    const [path, query = ''] = request.originalUrl.split('?', 2);
    const { 'x-workspace': workspace = '', 'x-environment': environment = '' } = request.headers;
    const digest = createHash('sha256').update(body).digest('hex');
    const text = JSON.stringify([request.method, path, query, workspace, environment, digest]);
    return Buffer.from(this.masterKey.sign(FINGERPRINT_PURPOSE, text), 'base64url');
  }

  /** The key is in use for as long as `work` takes. A key that it leaves without a response is released later. */
  async holding<T>(name: KeyName, work: (key: HeldKey) => Promise<T>): Promise<T> {
    const key = { ...name, holder: randomText(20) };
    this.underWay.add(key.holder);
    try {
      return await work(key);
    } finally {
      this.underWay.delete(key.holder);
    }
  }

  /**
   * Releases keys that requests of this process have left behind: their release failed, or the database took the key and
   * went away before it said so. Tried until it succeeds; where the process ends, others take its keys over.
   */
  @Loop({ every: SWEEP_EVERY_MS })
  async releaseAbandoned(): Promise<void> {
    await this.keys.releaseAbandoned(this.instance.id, [...this.underWay]);
  }

  /**
   * @returns null: the key is ours now, so carry the request out. Otherwise the first request's response.
   * @throws ProblemError where the first request is still in progress, failed, or was another one
   */
  async begin(
    key: HeldKey,
    fingerprint: Buffer,
    caller: WorkspaceCaller | undefined,
  ): Promise<ResourceResponse | null> {
    if (await this.keys.begin(key, fingerprint, this.instance.id)) return null;
    const row = await this.keys.find(key);
    if (!row) throw inProgress();
    if (!row.fingerprint.equals(fingerprint)) throw mismatch();
    if (row.state === 'responded') return this.replay(key, row);
    const response =
      row.state === 'committed' && caller
        ? await this.resources.of(row.resourceKind!, row.resourceId!, caller)
        : null;
    if (!response) throw inProgress();
    return response;
  }

  /** Within `work`, `commit` and `complete` apply to this key. */
  async during<T>(key: HeldKey, work: () => Promise<T>): Promise<{ value: T; completed: boolean }> {
    const use = { key, completed: false };
    const value = await this.scope.run(use, work);
    return { value, completed: use.completed };
  }

  /** Call it in the transaction that makes a resource: once that is committed, a retry gets the resource's response. */
  async commit(kind: string, id: string): Promise<void> {
    const use = this.scope.getStore();
    if (use && !(await this.keys.commit(use.key, kind, id))) throw inProgress();
  }

  /**
   * For a route that also does something outside of the transaction. Call it within, once the response is known. Change
   * and response are stored together: a response with a new secret must not get lost.
   */
  async complete(status: number, value: unknown): Promise<void> {
    const use = this.scope.getStore();
    if (!use) return;
    await this.succeed(use.key, status, value);
    use.completed = true;
  }

  /** Within `work`, no key is in use: what it makes is not what the request asked for. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.scope.exit(work);
  }

  get inUse(): boolean {
    return this.scope.getStore() !== undefined;
  }

  async succeed(key: HeldKey, status: number, value: unknown): Promise<void> {
    await this.store(key, status, value === undefined ? { value } : { json: stringifyJson(value) });
  }

  /** Stores 404 and 409, which a retry gets again; after any other error the key is free again. */
  async fail(key: HeldKey, error: unknown): Promise<void> {
    if (error instanceof ProblemError && (error.status === 404 || error.status === 409)) {
      const { code, message, details } = error;
      await this.store(key, error.status, { error: { code, message, ...(details && { details }) } });
    } else {
      await this.keys.release(key);
    }
  }

  private async store(key: HeldKey, status: number, response: StoredResponse): Promise<void> {
    const sealed = this.masterKey.encrypt(PURPOSE, Buffer.from(JSON.stringify(response)), contextOf(key));
    if (!(await this.keys.complete(key, status, sealed))) throw inProgress();
  }

  private replay(name: KeyName, row: IdempotencyKey): ResourceResponse {
    const plain = this.masterKey.decrypt(PURPOSE, row.body!, contextOf(name)).toString();
    const response = JSON.parse(plain) as StoredResponse;
    if ('error' in response) {
      const { code, message, details } = response.error;
      throw new ProblemError(code, message, details, { 'idempotent-replayed': 'true' });
    }
    return { status: row.status!, body: 'json' in response ? new RawJson(response.json) : response.value };
  }
}

/** Binds a sealed response to its key, so that it opens nowhere else. */
function contextOf({ credentialId, key }: KeyName): string {
  return `${credentialId}\n${key}`;
}

function inProgress(): ProblemError {
  return new ProblemError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still going on. Send it again shortly.',
    undefined,
    { 'retry-after': '1' },
  );
}

export function mismatch(): ProblemError {
  return new ProblemError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for another request. Use a new key.',
  );
}
