import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { OpenBao } from '../support/openbao.js';
import { whyNoRegistries } from '../support/registry-reach.js';
import { SecretsManager } from '../support/secrets-manager.js';
import { digestOf, SourcedRuns } from '../support/sourced-runs.js';

const MINUTES = 5 * 60_000;
const noRegistries = await whyNoRegistries();
const failed = (source: string, why: string): string =>
  `the secret SOURCED cannot be read from ${source}: ${why}`;

describe.skipIf(noRegistries !== null)('secrets in a real OpenBao, whose API is that of Vault', () => {
  let directory: string;
  let bao: OpenBao;
  let gatehouse: TestGatehouse;
  let runs: SourcedRuns;
  let folder: string;

  const start = (env: Record<string, string>): Promise<TestGatehouse> =>
    startGatehouse({
      runsScripts: true,
      env: { GATEHOUSE_VAULT_ADDRESS: bao.url, GATEHOUSE_VAULT_CA_FILE: bao.caFile, ...env },
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-stores-'));
    bao = await OpenBao.start();
    await writeFile(join(directory, 'token'), `${await bao.tokenFor('gatehouse')}\n`);
    gatehouse = await start({ GATEHOUSE_VAULT_TOKEN_FILE: join(directory, 'token') });
    runs = await SourcedRuns.of(gatehouse);
    folder = `gatehouse/${gatehouse.workspace.id}`;
  }, MINUTES);
  afterAll(async () => {
    await gatehouse?.stop();
    await bao?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('are offered, with the folder that is the workspace’s', async () => {
    const { body } = await runs.api.get('/v1/workspace/secret-sources');
    expect(body.items).toEqual([
      {
        name: 'vault',
        title: 'Vault',
        reference: `The path of a secret below secret/${folder}/, and one of its fields.`,
        example: 'payments/stripe#key',
      },
    ]);
  });

  it('are read when a run starts, as they are then', async () => {
    await bao.put(`${folder}/payments/stripe`, { key: 'sk_of_openbao_1', account: 'acct' });
    expect(await runs.read('vault', 'payments/stripe#key')).toBe(digestOf('sk_of_openbao_1'));
    await bao.put(`${folder}/payments/stripe`, { key: 'sk_of_openbao_2' });
    expect((await runs.run()).output).toBe(digestOf('sk_of_openbao_2'));
  });

  it('are read with the token that is in the file now', async () => {
    const next = await bao.tokenFor('gatehouse');
    await bao.ask('POST', 'auth/token/revoke-accessor', await accessorOf(join(directory, 'token')));
    expect((await runs.run()).error).toBe(
      failed('vault', 'Vault does not let this Gatehouse read payments/stripe.'),
    );
    await writeFile(join(directory, 'token'), next);
    expect((await runs.run()).output).toBe(digestOf('sk_of_openbao_2'));
  });

  const accessorOf = async (file: string): Promise<{ accessor: string }> => {
    const token = (await readFile(file, 'utf8')).trim();
    const { data } = await bao.ask('POST', 'auth/token/lookup', { token });
    return { accessor: data.accessor as string };
  };

  it('say in words what is not there', async () => {
    await bao.put(`${folder}/gone`, { key: 'value-that-goes' });
    await bao.put(`${folder}/number`, { port: 5432 });
    expect(await runs.read('vault', 'gone#key')).toBe(digestOf('value-that-goes'));
    await bao.ask('DELETE', `secret/data/${folder}/gone`);
    const nothing = (path: string) =>
      failed('vault', `Vault has nothing at ${path}, or its newest version is deleted.`);
    expect(await runs.read('vault', 'gone#key')).toBe(nothing('gone'));
    expect(await runs.read('vault', 'never/was#key')).toBe(nothing('never/was'));
    expect(await runs.read('vault', 'payments/stripe#other')).toBe(
      failed('vault', 'Vault has no text other at payments/stripe.'),
    );
    expect(await runs.read('vault', 'payments/stripe#toString')).toContain('has no text toString');
    expect(await runs.read('vault', 'number#port')).toBe(
      failed('vault', 'Vault has no text port at number.'),
    );
  });

  it('are read by an AppRole, which logs in once, and again where its token has gone', async () => {
    const { roleId, secretId } = await bao.appRoleFor('gatehouse');
    await writeFile(join(directory, 'secret-id'), secretId);
    const other = await start({
      GATEHOUSE_VAULT_ROLE_ID: roleId,
      GATEHOUSE_VAULT_SECRET_ID_FILE: join(directory, 'secret-id'),
      GATEHOUSE_VAULT_PREFIX: 'gatehouse/{workspace}/{environment}',
    });
    try {
      const theirs = await SourcedRuns.of(other);
      const path = `gatehouse/${other.workspace.slug}/production/key`;
      await bao.put(path, { value: 'read-by-approle-1' });
      expect(await theirs.read('vault', 'key#value')).toBe(digestOf('read-by-approle-1'));
      await bao.revokeLogins();
      await bao.put(path, { value: 'read-by-approle-2' });
      expect((await theirs.run()).output).toBe(digestOf('read-by-approle-2'));
      await bao.revokeLogins();
      await writeFile(join(directory, 'secret-id'), 'not-a-secret-id');
      expect((await theirs.run()).error).toBe(
        failed('vault', 'Vault does not let this Gatehouse log in (status 400).'),
      );
    } finally {
      await other.stop();
    }
  });
});

describe.skipIf(noRegistries !== null)('secrets in AWS Secrets Manager, as moto has it', () => {
  let aws: SecretsManager;
  let gatehouse: TestGatehouse;
  let runs: SourcedRuns;
  let folder: string;

  beforeAll(async () => {
    aws = await SecretsManager.start();
    gatehouse = await startGatehouse({
      runsScripts: true,
      env: {
        GATEHOUSE_AWS_SECRETS_REGION: 'eu-west-1',
        GATEHOUSE_AWS_SECRETS_ENDPOINT: aws.url,
        GATEHOUSE_AWS_SECRETS_ACCESS_KEY_ID: aws.keys.AWS_ACCESS_KEY_ID,
        GATEHOUSE_AWS_SECRETS_SECRET_ACCESS_KEY: aws.keys.AWS_SECRET_ACCESS_KEY,
      },
    });
    runs = await SourcedRuns.of(gatehouse);
    folder = `gatehouse/${gatehouse.workspace.id}`;
  }, MINUTES);
  afterAll(async () => {
    await gatehouse?.stop();
    await aws?.stop();
  });

  it('are read when a run starts: a text, or a field of JSON, by name or by ARN', async () => {
    const SecretString = JSON.stringify({ key: 'sk_of_aws_1', port: 5432 });
    const { ARN } = await aws.call('create_secret', { Name: `${folder}/payments/stripe`, SecretString });
    expect(await runs.read('aws', 'payments/stripe#key')).toBe(digestOf('sk_of_aws_1'));
    expect(await runs.read('aws', `${ARN}#key`)).toBe(digestOf('sk_of_aws_1'));
    expect(await runs.read('aws', 'payments/stripe')).toBe(digestOf(SecretString));
    const next = JSON.stringify({ key: 'sk_of_aws_2' });
    await aws.call('put_secret_value', { SecretId: `${folder}/payments/stripe`, SecretString: next });
    expect(await runs.read('aws', 'payments/stripe#key')).toBe(digestOf('sk_of_aws_2'));
  });

  it('say in words what is not there', async () => {
    await aws.call('create_secret', { Name: `${folder}/text`, SecretString: 'just-a-text' });
    await aws.call('create_secret', { Name: `${folder}/going`, SecretString: 'a-text-that-goes' });
    await aws.call('delete_secret', { SecretId: `${folder}/going` });
    const store = 'AWS Secrets Manager';
    expect(await runs.read('aws', 'never/was')).toBe(
      failed('aws', `${store} has no secret of that name, or no current version of it.`),
    );
    expect(await runs.read('aws', 'going')).toBe(
      failed('aws', `${store} has marked the secret for deletion.`),
    );
    expect(await runs.read('aws', 'text#key')).toBe(
      failed('aws', `The secret in ${store} is no JSON, so it has no fields.`),
    );
    expect(await runs.read('aws', 'payments/stripe#other')).toBe(
      failed('aws', `The secret in ${store} has no text other.`),
    );
  });
});
