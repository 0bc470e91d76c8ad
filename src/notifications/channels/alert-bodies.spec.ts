import { describe, expect, it } from 'vitest';

import type { AlertNotice } from '../alert-notice.js';
import { mattermostBody, ntfyBody, slackBody, teamsBody } from './alert-bodies.js';

const LINK = 'https://gatehouse.example.com/w/acme/-/runs/run_1';

/** As long as a notice gets, in characters that count for several bytes and for two units of UTF-16. */
function notice(character: string): AlertNotice {
  const event = { condition: 'failed', text: 'Import failed', error: character.repeat(900), runId: 'run_1' };
  return {
    id: 'alm_1',
    test: false,
    workspace: { id: 'ws_1', slug: 'acme', name: 'Acme' },
    rule: { id: 'alr_1', name: 'Nightly' },
    incident: null,
    title: 'Import failed',
    count: 10,
    conditions: { failed: 10 },
    events: Array.from({ length: 10 }, () => ({ ...event, script: null, at: '2026-01-01T00:00:00.000Z' })),
    log: [...Array.from({ length: 19 }, () => character.repeat(500)), 'the last line'],
    link: LINK,
  };
}

describe.each(['a', '処', '😀'])('an alert of %s, as long as they get', (character) => {
  const alert = notice(character);

  it('fits ntfy, with the end of the log and the link', () => {
    const { message } = ntfyBody(alert, 'topic') as { message: string };
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
    expect(message.endsWith(`the last line\n\n${LINK}`)).toBe(true);
    expect(message.isWellFormed()).toBe(true);
  });

  it('fits Slack', () => {
    const body = JSON.stringify(slackBody(alert));
    expect(body).toContain('the last line');
    const texts = [...body.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text!);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(3_000);
  });

  it('fits Teams', () => {
    const body = JSON.stringify(teamsBody(alert));
    expect(body).toContain('the last line');
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28 * 1024);
  });

  it('fits Mattermost', () => {
    const { text } = mattermostBody(alert) as { text: string };
    expect(text).toContain('the last line');
    expect([...text].length).toBeLessThanOrEqual(16_383);
  });
});

it('has no empty parts where there is no log', () => {
  const { message } = ntfyBody({ ...notice('a'), count: 0, events: [], log: [] }, 'topic') as {
    message: string;
  };
  expect(message).toBe(LINK);
});
