import type { HostRule } from '@gatehouse/client/operations';
import { ActionIcon, Button, Group, Input, Paper, Stack, TagsInput, Text } from '@mantine/core';
import IconPlus from 'icon:plus';
import IconTrash from 'icon:trash';

import classes from './new.module.css';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface HostRuleRowsProps {
  hosts: string[];
  /** Also of hosts that are not there any more, in case they come back. */
  rules: HostRule[];
  onRules: (rules: HostRule[]) => void;
}

/** Which requests each host gets: any, or those that its rules name. */
export function HostRuleRows({ hosts, rules, onRules }: HostRuleRowsProps) {
  if (hosts.length === 0) return null;
  return (
    <Input.Wrapper
      label="Requests that hosts get"
      labelElement="div"
      description="Any, unless you limit them. A path is exact, or ends in * for all that begins so; what a rule leaves empty is any."
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
  const change = (before: HostRule, patch: Partial<HostRule>): void =>
    onRules(rules.map((rule) => (rule === before ? { ...rule, ...patch } : rule)));
  return (
    <Paper withBorder p="xs" role="group" aria-label={`Requests to ${host}`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} className="user-text" style={{ overflowWrap: 'anywhere' }}>
          {host}{' '}
          {own.length === 0 && (
            <Text span size="sm" c="dimmed" fw={400}>
              any request
            </Text>
          )}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={own.length === 0 ? `Limit requests to ${host}` : `Allow more requests to ${host}`}
          onClick={() => onRules([...rules, { host, methods: ['GET'], paths: null }])}
        >
          {own.length === 0 ? 'Limit' : 'Allow more'}
        </Button>
      </Group>
      {own.map((rule, index) => (
        <Rule
          key={index}
          rule={rule}
          onRule={(patch) => change(rule, patch)}
          onRemove={() => onRules(rules.filter((other) => other !== rule))}
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

function Rule({ rule: { host, methods, paths }, onRule, onRemove }: RuleProps) {
  return (
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
  );
}

const orAny = (items: string[]): string[] | null => (items.length === 0 ? null : items);
