/** The beginnings of events' types: `run` of `run.started`, `workspace.member` of `workspace.member.joined`. */
const EVENT_DOMAINS = [
  'run',
  'approval',
  'script',
  'schedule',
  'trigger',
  'hook',
  'error',
  'webhook_endpoint',
  'agent',
  'secret',
  'environment',
  'queue',
  'host_authorities',
  'workspace.member',
  'workspace.invitation',
] as const;

export type EventDomain = (typeof EVENT_DOMAINS)[number];

/** null: none that the console knows. */
export function domainOf(eventType: string): EventDomain | null {
  const beginning = eventType.slice(0, eventType.lastIndexOf('.'));
  return EVENT_DOMAINS.find((domain) => domain === beginning) ?? null;
}
