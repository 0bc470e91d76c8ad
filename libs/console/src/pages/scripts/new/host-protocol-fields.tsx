import type { HostRule } from '@gatehouse/client/operations';
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';

import classes from './new.module.css';

type Protocol = NonNullable<HostRule['protocol']> | 'https';
type PostgresRule = NonNullable<HostRule['postgres']>;

const PROTOCOLS: { value: Protocol; label: string }[] = [
  { value: 'https', label: 'HTTPS' },
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'http', label: 'HTTP, in the clear' },
  { value: 'tls', label: 'TLS' },
  { value: 'tcp', label: 'TCP' },
];

const USUAL: PostgresRule = {
  database: null,
  role: null,
  readOnly: true,
  statementTimeout: null,
  maxConnections: 10,
};

/** Of `http` and HTTPS, requests can be limited. */
export const hasRequests = (protocol: HostRule['protocol']): boolean =>
  protocol === undefined || protocol === 'http';

/** The one rule of a host that is spoken to so; none: by HTTPS. */
export function rulesOf(host: string, protocol: Protocol): HostRule[] {
  if (protocol === 'https') return [];
  const rule = { host, methods: null, paths: null, protocol };
  return [protocol === 'postgres' ? { ...rule, postgres: USUAL } : rule];
}

interface ProtocolSelectProps {
  host: string;
  protocol: Protocol;
  onProtocol: (protocol: Protocol) => void;
}

export function ProtocolSelect({ host, protocol, onProtocol }: ProtocolSelectProps) {
  return (
    <Select
      size="xs"
      w={150}
      aria-label={`Protocol of ${host}`}
      data={PROTOCOLS}
      value={protocol}
      allowDeselect={false}
      onChange={(chosen) => chosen && onProtocol(chosen)}
    />
  );
}

interface PostgresFieldsProps {
  rule: PostgresRule;
  ask: HostRule['ask'];
  onRule: (rule: PostgresRule) => void;
  onAsk: (ask: HostRule['ask']) => void;
}

/** What holds on each connection. */
export function PostgresFields({ rule, ask, onRule, onAsk }: PostgresFieldsProps) {
  const text = (field: 'database' | 'role') => ({
    value: rule[field] ?? '',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onRule({ ...rule, [field]: currentTarget.value || null }),
  });
  return (
    <div className={classes['secret']} style={{ marginTop: 'var(--mantine-spacing-xs)' }}>
      <TextInput label="Database" placeholder="As the secret or the client says" {...text('database')} />
      <TextInput label="Role" placeholder="As it signs in" {...text('role')} />
      <NumberInput
        label="Longest statement, in seconds"
        placeholder="As the server says"
        min={1}
        max={3600}
        allowDecimal={false}
        value={rule.statementTimeout ?? ''}
        onChange={(value) => onRule({ ...rule, statementTimeout: value === '' ? null : Number(value) })}
      />
      <NumberInput
        label="Connections at a time"
        min={1}
        max={100}
        allowDecimal={false}
        value={rule.maxConnections}
        onChange={(value) => onRule({ ...rule, maxConnections: Number(value) || 1 })}
      />
      <Checkbox
        label="Only to read"
        checked={rule.readOnly}
        onChange={({ currentTarget }) => onRule({ ...rule, readOnly: currentTarget.checked })}
      />
      {!rule.readOnly && <AskSelect about="About each that may write" ask={ask} onAsk={onAsk} />}
    </div>
  );
}

interface AskSelectProps {
  /** What a person is asked about, as a choice. */
  about: string;
  ask: HostRule['ask'];
  onAsk: (ask: HostRule['ask']) => void;
}

export function AskSelect({ about, ask, onAsk }: AskSelectProps) {
  return (
    <Select
      label="A person is asked"
      data={[
        { value: 'never', label: 'Never' },
        { value: 'always', label: about },
        { value: 'agents', label: 'Where an agent runs it' },
      ]}
      value={ask ?? 'never'}
      allowDeselect={false}
      onChange={(chosen) => onAsk(chosen === 'always' || chosen === 'agents' ? chosen : undefined)}
    />
  );
}
