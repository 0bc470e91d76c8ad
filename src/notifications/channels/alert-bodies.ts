import {
  BYTES,
  CHARACTERS,
  cutText,
  endOfText,
  type TextUnit,
  UTF16_UNITS,
} from '../../../libs/cut-text/index.js';
import type { AlertNotice } from '../alert-notice.js';
import { alertSubject, eventLine, moreLine } from '../alert-text.js';

/** Slack takes 3,000 UTF-16 units in a text. */
const MAX_SLACK_UNITS = 2_900;
/** Mattermost takes 16,383 characters in a message. */
const MAX_MATTERMOST_CHARACTERS = 7_000;
/** Teams takes 28 KiB in a message. */
const MAX_TEAMS_BYTES = 9_000;
/** ntfy makes a file of a message with more than 4,096 bytes. */
const MAX_NTFY_BYTES = 4_000;
const MAX_NTFY_EVENTS_BYTES = 1_500;

const eventsText = (alert: AlertNotice): string =>
  [...alert.events.map(eventLine), ...moreLine(alert)].join('\n');

/** The end counts: it is cut at the beginning. */
function logText({ log }: AlertNotice, most: number, unit: TextUnit): string {
  return endOfText(log.join('\n'), most, unit);
}

/** Blocks of plain text: nothing in them becomes a link, a mention or bold. `text` is what a notification shows. */
export function slackBody(alert: AlertNotice): object {
  const log = logText(alert, MAX_SLACK_UNITS, UTF16_UNITS);
  const plain = (text: string) => ({
    type: 'plain_text',
    text: cutText(text, MAX_SLACK_UNITS, '…', UTF16_UNITS),
    emoji: false,
  });
  return {
    text: escapedForSlack(alertSubject(alert)),
    unfurl_links: false,
    blocks: [
      { type: 'section', text: plain(alertSubject(alert)) },
      { type: 'section', text: plain(eventsText(alert)) },
      ...(log === ''
        ? []
        : [
            {
              type: 'rich_text',
              elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: log }] }],
            },
          ]),
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [{ type: 'link', url: alert.link, text: 'Open in Gatehouse' }],
          },
        ],
      },
    ],
  };
}

/** Else `<!channel>` would call everybody, and `<https://…|…>` be a link. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** All words that people chose are in a block of code, where Mattermost finds neither mentions nor links. */
export function mattermostBody(alert: AlertNotice): object {
  const log = logText(alert, MAX_MATTERMOST_CHARACTERS, CHARACTERS);
  const words = cutText(`${alertSubject(alert)}\n${eventsText(alert)}`, MAX_MATTERMOST_CHARACTERS, '…');
  const code = log === '' ? words : `${words}\n\n${log}`;
  const fence = '`'.repeat(Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1);
  return { text: `${fence}text\n${code}\n${fence}\n[Open in Gatehouse](${alert.link})` };
}

/** An adaptive card. A run of a rich text block is plain: a text block would read Markdown. */
export function teamsBody(alert: AlertNotice): object {
  const block = (text: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  });
  const log = logText(alert, MAX_TEAMS_BYTES, BYTES);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(alertSubject(alert), { weight: 'Bolder' }),
      block(cutText(eventsText(alert), MAX_TEAMS_BYTES, '…', BYTES)),
      ...(log === '' ? [] : [block(log, { fontType: 'Monospace' })]),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Gatehouse', url: alert.link }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

/** As JSON, so that no word of anybody's becomes a header. */
export function ntfyBody(alert: AlertNotice, topic: string): object {
  const events = cutText(eventsText(alert), MAX_NTFY_EVENTS_BYTES, '…', BYTES);
  const rest = MAX_NTFY_BYTES - Buffer.byteLength(`${events}\n\n\n\n${alert.link}`);
  const log = logText(alert, rest, BYTES);
  return {
    topic,
    title: alertSubject(alert),
    message: [events, log, alert.link].filter((text) => text !== '').join('\n\n'),
    click: alert.link,
  };
}

/** What comes later of an incident is added to it, and what came last decides whether it is open. */
export function pagerDutyBody(alert: AlertNotice, routingKey: string): object {
  const incident = alert.incident === null ? '' : `-${alert.incident}`;
  return {
    routing_key: routingKey,
    event_action: alert.events.at(-1)?.condition === 'recovered' ? 'resolve' : 'trigger',
    dedup_key: `gatehouse-${alert.rule.id}${incident}${alert.test ? '-test' : ''}`,
    client: 'Gatehouse',
    client_url: alert.link,
    links: [{ href: alert.link, text: 'Open in Gatehouse' }],
    payload: {
      summary: cutText(alertSubject(alert), 1_000, '…', UTF16_UNITS),
      source: `gatehouse/${alert.workspace.slug}`,
      severity: alert.test ? 'info' : 'error',
      custom_details: { events: alert.events, count: alert.count, log: alert.log },
    },
  };
}

/** What a program reads. */
export function webhookBody(alert: AlertNotice): object {
  const { id, test, workspace, rule, title, count, conditions, events, log, link } = alert;
  return { type: 'alert', id, test, workspace, rule, title, count, conditions, events, log, link };
}
