import { describe, expect, it } from 'vitest';

import { awsReferenceProblem, awsSecretOf } from './aws/aws-reference.js';
import { fieldProblem, folderOf, parseReference, pathProblem } from './store-place.js';

const place = { workspace: { id: 'wks_1', slug: 'acme' }, environment: { id: 'env_1', name: 'production' } };

describe('the folder of a workspace', () => {
  it('has its id, or its slug and the environment', () => {
    expect(folderOf('gatehouse/{workspace_id}/', place)).toBe('gatehouse/wks_1/');
    expect(folderOf('{workspace}/{environment}/', place)).toBe('acme/production/');
  });
});

describe('a path', () => {
  it.each(['payments/stripe', 'a', 'a.b/c-d_e', 'me@example.com', '...a/b...', 'a=b+c'])(
    'may be %s',
    (path) => {
      expect(pathProblem(path)).toBeNull();
    },
  );

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '..',
    '../a',
    'a/..',
    'a/../b',
    './a',
    'a/./b',
    'a/.../b',
    '%2e%2e/a',
    'a%2fb',
    'a\\..\\b',
    'a?b=c',
    'a#b#c',
    'a b',
    'a;b',
    'a:b',
    'ä',
    'a\nb',
    '．．/a',
    'a'.repeat(301),
  ])('is never %j', (path) => {
    expect(pathProblem(path)).toMatch(/^must be a path/);
  });
});

describe('a field', () => {
  it('stands after the first #', () => {
    expect(parseReference('a/b#key')).toEqual({ path: 'a/b', field: 'key' });
    expect(parseReference('a/b')).toEqual({ path: 'a/b', field: null });
    expect(fieldProblem(parseReference('a#b#c').field!)).toMatch(/^must end with #/);
    expect(fieldProblem('')).not.toBeNull();
    expect(fieldProblem('key')).toBeNull();
  });
});

describe('a secret in AWS', () => {
  const aws = { region: 'eu-west-1', prefix: 'gatehouse/{workspace_id}/' };
  const problem = (reference: string) => awsReferenceProblem(reference, aws, place);
  const arn = (name: string, region = 'eu-west-1') =>
    `arn:aws:secretsmanager:${region}:123456789012:secret:${name}`;

  it('is named below the folder, or by an ARN of what is there', () => {
    expect(problem('payments/stripe#key')).toBeNull();
    expect(problem('payments/stripe')).toBeNull();
    expect(problem(arn('gatehouse/wks_1/payments/stripe-a1B2c3'))).toBeNull();
    expect(awsSecretOf('stripe#key', aws, place)).toEqual({ path: 'gatehouse/wks_1/stripe', field: 'key' });
    const named = arn('gatehouse/wks_1/stripe-a1B2c3');
    expect(awsSecretOf(`${named}#key`, aws, place)).toEqual({ path: named, field: 'key' });
  });

  it.each([
    ["another workspace's ARN", arn('gatehouse/wks_2/stripe-a1B2c3'), 'begins with gatehouse/wks_1/'],
    ['one whose folder begins alike', arn('gatehouse/wks_12/stripe-a1B2c3'), 'begins with gatehouse/wks_1/'],
    ['a way out of the folder', arn('gatehouse/wks_1/../wks_2/stripe-a1B2c3'), 'must be a path'],
    ['an ARN of all', arn('gatehouse/wks_1/*'), 'must be a path'],
    ['another region', arn('gatehouse/wks_1/stripe-a1B2c3', 'us-east-1'), 'must be of the region eu-west-1'],
    ['an ARN of something else', 'arn:aws:iam::123456789012:role/admin', 'must be the ARN of a secret'],
    ['an ARN with more', `${arn('gatehouse/wks_1/a')}:more`, 'must be the ARN of a secret'],
    ['an ARN in capitals', 'ARN:aws:secretsmanager:eu-west-1:123456789012:secret:a', 'must be a path'],
    ['a way out', '../wks_2/stripe', 'must be a path'],
    ['an empty field', 'stripe#', 'must end with #'],
  ])('is never %s', (_, reference, words) => {
    expect(problem(reference)).toContain(words);
  });
});
