import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ApiError, ERROR_CLASSES } from '@gatehouse/client';
import * as generated from '@gatehouse/client/operations';
import { expect, it } from 'vitest';

import { ERROR_CODES } from '../../src/core/errors/error-codes.js';

/** What only a person in the app may do, what needs no client, and the streams that are opened by their paths. */
const LEFT_OUT =
  /^(apiKeys|appRequests|auth|connectedApps|deviceRequests|docs|health|invitationReplies|mcp|metrics|openApi|personalTokens|sessions)[A-Z]|^(approvalsApprove|approvalsDeny|eventStreamFollow|filesDownload|filesUpload|runLogFollow|workspacesCreate)$/;

it('has a method for each operation', () => {
  const directory = join('libs', 'client', 'src', 'resources');
  const source = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n');
  const operations = Object.entries(generated)
    .filter(([name, value]) => typeof value === 'function' && name !== 'createClient')
    .map(([name]) => name);
  expect(operations.length).toBeGreaterThan(100);
  const missing = operations.filter((name) => !LEFT_OUT.test(name) && !source.includes(`${name}<true>`));
  expect(missing).toEqual([]);
});

it('has an error class for each code', () => {
  expect(Object.keys(ERROR_CLASSES).sort()).toEqual(Object.keys(ERROR_CODES).sort());
  for (const [code, { status }] of Object.entries(ERROR_CODES)) {
    const error = new ERROR_CLASSES[code]!({ code, status, message: 'No.' });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.name).toBe(ERROR_CLASSES[code]!.name);
  }
});
