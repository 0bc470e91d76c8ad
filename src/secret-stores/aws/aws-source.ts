import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { type AwsSecretsSettings, Settings } from '../../core/config/index.js';
import { Unavailable } from '../../core/errors/index.js';
import {
  type SecretPlace,
  SecretSource,
  type SecretSourceDescription,
  type SecretSourceProvider,
  type SourcedSecret,
} from '../../secrets/index.js';
import { createStoreFetch } from '../store-fetch.js';
import { folderOf } from '../store-place.js';
import { awsFailure } from './aws-failure.js';
import { awsReferenceProblem, awsSecretOf } from './aws-reference.js';
import { StoreRequestHandler } from './store-request-handler.js';

const MOST_ATTEMPTS = 2;

/** Secrets in AWS Secrets Manager: each workspace's have names that begin with a folder of its own. */
@SecretSource('aws')
@Injectable()
export class AwsSource implements SecretSourceProvider, OnApplicationShutdown {
  private readonly aws: AwsSecretsSettings;
  private client: SecretsManagerClient | null = null;

  constructor({ secretStores: { aws } }: Settings) {
    if (!aws) throw new Error('There is a source for AWS only where its region is set.');
    this.aws = aws;
  }

  onApplicationShutdown(): void {
    this.client?.destroy();
  }

  describe(place: SecretPlace): SecretSourceDescription {
    const folder = folderOf(this.aws.prefix, place);
    return {
      title: 'AWS Secrets Manager',
      reference: `The name of a secret below ${folder}, or its ARN; and a field, where its text is JSON.`,
      example: 'payments/stripe#key',
    };
  }

  referenceProblem(reference: string, place: SecretPlace): string | null {
    return awsReferenceProblem(reference, this.aws, place);
  }

  async read(secret: SourcedSecret, { signal }: { signal: AbortSignal }): Promise<string> {
    const problem = this.referenceProblem(secret.reference, secret);
    if (problem !== null) throw new Unavailable(`the reference ${problem}`);
    const { path, field } = awsSecretOf(secret.reference, this.aws, secret);
    const text = await this.textOf(path, signal);
    if (text === undefined) throw new Unavailable('AWS Secrets Manager has bytes there, which are no text.');
    return field === null ? text : fieldOf(text, field);
  }

  private async textOf(id: string, abortSignal: AbortSignal): Promise<string | undefined> {
    // The library is loaded by the first secret: it takes a while.
    const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    const { region, endpoint, keys } = this.aws;
    this.client ??= new SecretsManagerClient({
      region,
      maxAttempts: MOST_ATTEMPTS,
      requestHandler: new StoreRequestHandler(createStoreFetch(null)),
      ...(endpoint !== null && { endpoint }),
      ...(keys && { credentials: keys }),
    });
    try {
      const command = new GetSecretValueCommand({ SecretId: id });
      return (await this.client.send(command, { abortSignal })).SecretString;
    } catch (error) {
      throw awsFailure(error);
    }
  }
}

function fieldOf(text: string, field: string): string {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Unavailable('The secret in AWS Secrets Manager is no JSON, so it has no fields.');
  }
  const isObject = typeof found === 'object' && found !== null && Object.hasOwn(found, field);
  const value = isObject ? (found as Record<string, unknown>)[field] : undefined;
  if (typeof value !== 'string')
    throw new Unavailable(`The secret in AWS Secrets Manager has no text ${field}.`);
  return value;
}
