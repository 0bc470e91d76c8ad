import type { HostRule } from '@gatehouse/client/operations';
import { ActionIcon, Button, Group, Input, Paper, Stack, TagsInput, Text } from '@mantine/core';
import IconPlus from 'icon:plus';
import IconTrash from 'icon:trash';

import { isLimit } from '../../../kit/host-rule-text.js';
import { AskSelect, hasRequests, PostgresFields, ProtocolSelect, rulesOf } from './host-protocol-fields.js';
import classes from './new.module.css';
import { PlannedResponseFields } from './planned-response-fields.js';

const NOT_ASKED = { ask: undefined } as unknown as Partial<HostRule>;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface HostRuleRowsProps {
  hosts: string[];
  /** Also of hosts that are not there any more, in case they come back. */
  rules: HostRule[];
  onRules: (rules: HostRule[]) => void;
}

/** How each host is spoken to, and which requests it gets: any, or those that its rules name. */
export function HostRuleRows({ hosts, rules, onRules }: HostRuleRowsProps) {
  if (hosts.length === 0) return null;
  return (
    <Input.Wrapper
      label="What hosts get"
      labelElement="div"
      description="Any request, unless you limit them. A path is exact, or ends in * for all that begins so; what a rule leaves empty is any."
    >
      <Stack gap="xs" mt={4}>
        {hosts.map((host) => (
          <HostRules key={host} host={host} rules={rules} onRules={onRules} />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

function HostRules({ host, rules, onRules }: Omit<HostRuleRowsProps, 'hosts'> & { host: string }) {
  const own = rules.filter((rule) => rule.host === host);
  const [first] = own;
  const requests = hasRequests(first?.protocol);
  const limits = own.filter(isLimit);
  const change = (before: HostRule, patch: Partial<HostRule>): void =>
    onRules(rules.map((rule) => (rule === before ? { ...rule, ...patch } : rule)));
  return (
    <Paper withBorder p="xs" role="group" aria-label={requests ? `Requests to ${host}` : host}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} className="user-text" style={{ overflowWrap: 'anywhere' }}>
          {host}{' '}
          {requests && limits.length === 0 && (
            <Text span size="sm" c="dimmed" fw={400}>
              any request
            </Text>
          )}
        </Text>
        <Group gap="xs">
          {!host.startsWith('*.') && (
            <ProtocolSelect
              host={host}
              protocol={first?.protocol ?? 'https'}
              onProtocol={(protocol) =>
                onRules([...rules.filter((rule) => rule.host !== host), ...rulesOf(host, protocol)])
              }
            />
          )}
          {requests && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              aria-label={
                limits.length === 0 ? `Limit requests to ${host}` : `Allow more requests to ${host}`
              }
              onClick={() =>
                first && limits.length === 0
                  ? change(first, { methods: ['GET'] })
                  : onRules([...rules, limitOf(host, first?.protocol)])
              }
            >
              {limits.length === 0 ? 'Limit' : 'Allow more'}
            </Button>
          )}
        </Group>
      </Group>
      {first?.postgres && (
        <PostgresFields
          rule={first.postgres}
          ask={first.ask}
          // Where nothing is written, there is nothing to ask about.
          onRule={(postgres) => change(first, { postgres, ...(postgres.readOnly && NOT_ASKED) })}
          onAsk={(ask) => change(first, { ask } as Partial<HostRule>)}
        />
      )}
      {limits.map((rule, index) => (
        <Rule
          key={index}
          rule={rule}
          onRule={(patch) => change(rule, patch)}
          onRemove={() =>
            rule.protocol && limits.length === 1
              ? onRules(rules.map((other) => (other === rule ? unlimited(rule) : other)))
              : onRules(rules.filter((other) => other !== rule))
          }
        />
      ))}
    </Paper>
  );
}

interface RuleProps {
  rule: HostRule;
  onRule: (patch: Partial<HostRule>) => void;
  onRemove: () => void;
}

function Rule({ rule: { host, methods, paths, ask, plan }, onRule, onRemove }: RuleProps) {
  return (
    <>
      <div className={classes['rule']}>
        <TagsInput
          label="Methods"
          placeholder={methods === null ? 'Any' : ''}
          data={METHODS}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          value={methods ?? []}
          onChange={(chosen) => onRule({ methods: orAny(chosen.map((method) => method.toUpperCase())) })}
        />
        <TagsInput
          label="Paths"
          placeholder={paths === null ? 'Any, or /v1/charges, /v1/files/*' : ''}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          value={paths ?? []}
          onChange={(typed) => onRule({ paths: orAny(typed) })}
        />
        <AskSelect
          about="About each request"
          ask={ask}
          onAsk={(chosen) => onRule({ ask: chosen } as Partial<HostRule>)}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove this rule of ${host}`}
          onClick={onRemove}
          className={classes['remove']}
        >
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      </div>
      <PlannedResponseFields
        planned={plan}
        onPlanned={(changed) => onRule({ plan: changed } as Partial<HostRule>)}
      />
    </>
  );
}

function unlimited({ ask: _, plan: __, ...rule }: HostRule): HostRule {
  return { ...rule, methods: null, paths: null };
}

function limitOf(host: string, protocol: HostRule['protocol']): HostRule {
  return { host, methods: ['GET'], paths: null, ...(protocol && { protocol }) };
}

const orAny = (items: string[]): string[] | null => (items.length === 0 ? null : items);
