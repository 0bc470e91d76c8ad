import { cutText } from '../../libs/cut-text/index.js';
import type { AlertedEvent, AlertNotice } from './alert-notice.js';
import { inlineText } from './inline-text.js';

const LONGEST_TITLE = 150;

/** The title, with the workspace before it. */
export function alertSubject({ workspace, title }: AlertNotice): string {
  return `[${inlineText(workspace.name)}] ${cutText(title, LONGEST_TITLE, '…')}`;
}

/** One event in one line. */
export function eventLine({ text, error, at }: AlertedEvent): string {
  return `${at} ${text}${error === null ? '' : `: ${inlineText(error)}`}`;
}

/** The last line under the events, where there are more of them; else none. */
export function moreLine({ count, events }: AlertNotice): string[] {
  const rest = count - events.length;
  return rest > 0 ? [`And ${rest} more.`] : [];
}

/** All of it as plain text. */
export function alertBody(alert: AlertNotice): string {
  const { events, log, link, rule } = alert;
  return [
    ...events.map(eventLine),
    ...moreLine(alert),
    ...(log.length === 0 ? [] : ['', 'The end of the log:', ...log.map((line) => `> ${line}`)]),
    '',
    link,
    '',
    `By the alert rule ${inlineText(rule.name)}.`,
  ].join('\n');
}
