import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../access/caller.js';
import { AsyncScope } from '../database/async-scope.js';
import { MasterKey } from '../crypto/master-key.js';
import { randomText } from '../crypto/tokens.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { type ErrorDetail, InvalidRequest, ProblemError } from '../errors/problems.js';
import { type GatehouseRequest, singleHeader } from '../http/request.js';
import { RawJson, stringifyJson } from '../json/raw-json.js';
import { Instance } from '../work/instance.js';
import { type HeldKey, IdempotencyRepository, type KeyName, type KeyRow } from './idempotency.repository.js';
import { ResourceAnswers } from './resource-answers.js';

const PURPOSE = 'idempotency';
const FINGERPRINT_PURPOSE = 'idempotency-fingerprint';

export interface Answer {
  status: number;
  body: unknown;
}

interface KeyInUse {
  key: HeldKey;
  /** The answer is kept already, by the transaction that it tells of. */
  completed: boolean;
}

/** What was answered, as its text: read into a value, its numbers could change. `value` is of an earlier release. */
type StoredAnswer =
  | { json: string }
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; details?: ErrorDetail[] } };

/** Remembers what was answered to an `Idempotency-Key`, so that a request sent twice acts once. */
@Injectable()
export class Idempotency {
  private readonly scope = new AsyncScope<KeyInUse>();
  /** The marks of requests under way that use a key. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly masterKey: MasterKey,
    private readonly instance: Instance,
    private readonly resources: ResourceAnswers,
  ) {}

  /** The key that a request names, or null. Its form is checked even where nothing is kept under it. */
  readKey(request: GatehouseRequest): string | null {
    const key = singleHeader(request, 'idempotency-key');
    if (key !== null && !/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw InvalidRequest.at('idempotency-key', 'takes 1 to 255 printable ASCII characters');
    }
    return key;
  }

  /** The key that a request names within a credential's, or null. */
  keyOf(request: GatehouseRequest, credentialId: string): KeyName | null {
    const key = this.readKey(request);
    return key === null ? null : { credentialId, key };
  }

  /** Keyed, so that nobody who reads the database can try out which body it was made of. */
  fingerprint(request: GatehouseRequest, body: Buffer | string): Buffer {
    const [path, query = ''] = request.originalUrl.split('?', 2);
    const { 'x-workspace': workspace = '', 'x-environment': environment = '' } = request.headers;
    const digest = createHash('sha256').update(body).digest('hex');
    const text = JSON.stringify([request.method, path, query, workspace, environment, digest]);
    return Buffer.from(this.masterKey.sign(FINGERPRINT_PURPOSE, text), 'base64url');
  }

  /** For as long as `work` takes, the key is in use. What is left of it then is released. */
  async holding<T>(name: KeyName, work: (key: HeldKey) => Promise<T>): Promise<T> {
    const key = { ...name, holder: randomText(20) };
    this.underWay.add(key.holder);
    try {
      return await work(key);
    } finally {
      this.underWay.delete(key.holder);
    }
  }

  async releaseAbandoned(): Promise<void> {
    await this.keys.releaseAbandoned(this.instance.id, [...this.underWay]);
  }

  /** null: the key is ours now and the request is to be carried out. Otherwise the answer that it got the first time. */
  async begin(
    key: HeldKey,
    fingerprint: Buffer,
    caller: WorkspaceCaller | undefined,
  ): Promise<Answer | null> {
    if (await this.keys.begin(key, fingerprint, this.instance.id)) return null;
    const row = await this.keys.find(key);
    if (!row) throw inProgress();
    if (!row.fingerprint.equals(fingerprint)) throw mismatch();
    if (row.state === 'answered') return this.replay(key, row);
    const answer =
      row.state === 'committed' && caller
        ? await this.resources.of(row.resourceKind!, row.resourceId!, caller)
        : null;
    if (!answer) throw inProgress();
    return answer;
  }

  /** Within this, `commit` and `complete` know the key of the request. */
  async during<T>(key: HeldKey, work: () => Promise<T>): Promise<{ value: T; completed: boolean }> {
    const use = { key, completed: false };
    const value = await this.scope.run(use, work);
    return { value, completed: use.completed };
  }

  /** To be called in the transaction that makes a resource: from its commit on, a retry gets that resource's answer. */
  async commit(kind: string, id: string): Promise<void> {
    const use = this.scope.current;
    if (use && !(await this.keys.commit(use.key, kind, id))) throw inProgress();
  }

  /**
   * To be called in a transaction whose answer is known before it is committed, of a route that does something else
   * outside of it: change and answer are kept together. What a secret is made by must not lose its answer.
   */
  async complete(status: number, value: unknown): Promise<void> {
    const use = this.scope.current;
    if (!use) return;
    await this.answer(use.key, status, value);
    use.completed = true;
  }

  get inUse(): boolean {
    return this.scope.current !== undefined;
  }

  async answer(key: HeldKey, status: number, value: unknown): Promise<void> {
    await this.store(key, status, value === undefined ? { value } : { json: stringifyJson(value) });
  }

  /** Keeps an error that is an answer (there is no such thing; the state does not allow it) and forgets any other. */
  async fail(key: HeldKey, error: unknown): Promise<void> {
    if (error instanceof ProblemError && (error.status === 404 || error.status === 409)) {
      const { code, message, details } = error;
      await this.store(key, error.status, { error: { code, message, ...(details && { details }) } });
    } else {
      await this.keys.release(key);
    }
  }

  private async store(key: HeldKey, status: number, answer: StoredAnswer): Promise<void> {
    const sealed = this.masterKey.encrypt(PURPOSE, Buffer.from(JSON.stringify(answer)), contextOf(key));
    if (!(await this.keys.answer(key, status, sealed))) throw inProgress();
  }

  private replay(name: KeyName, row: KeyRow): Answer {
    const plain = this.masterKey.decrypt(PURPOSE, row.body!, contextOf(name)).toString();
    const answer = JSON.parse(plain) as StoredAnswer;
    if ('error' in answer) {
      const { code, message, details } = answer.error;
      throw new ProblemError(code, message, details, { 'idempotent-replayed': 'true' });
    }
    return { status: row.status!, body: 'json' in answer ? new RawJson(answer.json) : answer.value };
  }
}

/** Binds a sealed answer to its key, so that it opens nowhere else. */
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
