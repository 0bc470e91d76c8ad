import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ApiError, ERROR_CLASSES } from '@gatehouse/client';
import * as generated from '@gatehouse/client/operations';
import { expect, it } from 'vitest';

import { ERROR_CODES } from '../../src/core/errors/error-codes.js';

/** What needs no client, and what is opened by its path: streams and uploads. */
const LEFT_OUT =
  /^(docs|guide|health|hookRequests|invitationReplies|mcp|metrics|openApi|packages|secondStep|signInLinks|signInWays)[A-Z]|^(authForgot|authLogin|authReset|eventStreamFollow|filesDownload|filesUpload|runLogFollow|uploadAddressesReceive)$/;

/** What only a person may do in the app, as the interface's description says. */
function ofSessionsOnly(): string[] {
  const document = JSON.parse(readFileSync(join('libs', 'client', 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; security?: object[] }>>;
  };
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ security = [] }) => security.length > 0 && security.every((one) => 'session' in one))
    .map(({ operationId }) => operationId.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()));
}

it('has a method for each operation', () => {
  const directory = join('libs', 'client', 'src', 'resources');
  const source = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n');
  const operations = Object.entries(generated)
    .filter(([name, value]) => typeof value === 'function' && !['createClient', 'readEvents'].includes(name))
    .map(([name]) => name);
  expect(operations.length).toBeGreaterThan(100);
  const left = ofSessionsOnly();
  expect(left).toContain('approvalsApprove');
  const isNeeded = (name: string): boolean => !LEFT_OUT.test(name) && !left.includes(name);
  expect(operations.filter((name) => isNeeded(name) && !source.includes(`${name}<true>`))).toEqual([]);
});

it('has an error class for each code', () => {
  expect(Object.keys(ERROR_CLASSES).sort()).toEqual(Object.keys(ERROR_CODES).sort());
  for (const [code, { status }] of Object.entries(ERROR_CODES)) {
    const error = new ERROR_CLASSES[code]!({ code, status, message: 'No.' });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.name).toBe(ERROR_CLASSES[code]!.name);
  }
});
