import { cutText } from '../../../libs/cut-text/index.js';
import type { AlertNotice } from '../alert-notice.js';
import { alertBody, alertSubject, eventLine, moreLine } from '../alert-text.js';

const LONGEST_SECTION = 2_900;
const LONGEST_LOG = 2_900;
const LONGEST_MATTERMOST = 14_000;
const LONGEST_NTFY = 3_500;

const eventsText = (alert: AlertNotice): string =>
  [...alert.events.map(eventLine), ...moreLine(alert)].join('\n');

/** The end counts: it is cut at the beginning. */
function logText({ log }: AlertNotice, most: number): string {
  const characters = [...log.join('\n')];
  return characters.slice(-most).join('');
}

/** Blocks of plain text: nothing in them becomes a link, a mention or bold. `text` is what a notification shows. */
export function slackBody(alert: AlertNotice): object {
  const plain = (text: string) => ({
    type: 'plain_text',
    text: cutText(text, LONGEST_SECTION, '…'),
    emoji: false,
  });
  const log = logText(alert, LONGEST_LOG);
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
  const log = logText(alert, LONGEST_MATTERMOST / 2);
  const words = [alertSubject(alert), eventsText(alert), ...(log === '' ? [] : ['', log])].join('\n');
  const code = cutText(words, LONGEST_MATTERMOST, '…');
  const fence = '`'.repeat(Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1);
  return { text: `${fence}text\n${code}\n${fence}\n[Open in Gatehouse](${alert.link})` };
}

/** An adaptive card. A run of a rich text block is plain: a text block would read Markdown. */
export function teamsBody(alert: AlertNotice): object {
  const block = (text: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  });
  const log = logText(alert, LONGEST_LOG);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(alertSubject(alert), { weight: 'Bolder' }),
      block(cutText(eventsText(alert), LONGEST_SECTION, '…')),
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
  return {
    topic,
    title: alertSubject(alert),
    message: cutText(alertBody(alert), LONGEST_NTFY, '…'),
    click: alert.link,
  };
}

/** An incident for each rule: what comes later is added to it, and `recovered` alone resolves it. */
export function pagerDutyBody(alert: AlertNotice, routingKey: string): object {
  const onlyRecovered = alert.count > 0 && alert.conditions.recovered === alert.count;
  return {
    routing_key: routingKey,
    event_action: onlyRecovered ? 'resolve' : 'trigger',
    dedup_key: `gatehouse-${alert.rule.id}${alert.test ? '-test' : ''}`,
    client: 'Gatehouse',
    client_url: alert.link,
    links: [{ href: alert.link, text: 'Open in Gatehouse' }],
    payload: {
      summary: cutText(alertSubject(alert), 1_000, '…'),
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
