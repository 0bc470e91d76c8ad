import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Settings } from './settings.js';

const NAMES = [...readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(
  ([, name]) => name!,
);

/** What a failed start says; nothing, where it starts. */
function refusalOf(environment: Record<string, string>): string {
  try {
    new Settings(environment);
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('a wrong setting', () => {
  it.each([
    ['PORT', '70000', 'a whole number from 0 to 65535'],
    ['GATEHOUSE_ROLE', 'boss', 'one of all, api, worker'],
    ['GATEHOUSE_OUTBOUND_ALLOW', '10.0.0', 'addresses or ranges'],
    ['GATEHOUSE_PLAIN_SECRETS', '10.0.0', 'addresses or ranges'],
    ['GATEHOUSE_OUTBOUND_ALLOW', '10.0.0.0/33', 'addresses or ranges'],
    ['GATEHOUSE_OUTBOUND_ALLOW', '10.0.0.0/8/8', 'addresses or ranges'],
    [
      'GATEHOUSE_PLANS',
      '{"pro": {"limits": {"run": 1}}}',
      'plans as JSON, or the path of a file with them (pro.limits.run',
    ],
    ['GATEHOUSE_PLANS', '/nowhere/plans.json', 'plans as JSON, or the path of a file with them (ENOENT'],
    ['GATEHOUSE_TRUST_PROXY', 'fd00::/129', 'addresses or ranges'],
    ['GATEHOUSE_HOSTS', 'https://gatehouse.internal', 'names or addresses such as gatehouse.internal'],
    ['GATEHOUSE_HOSTS', 'gatehouse.internal:3000', 'names or addresses such as gatehouse.internal'],
    ['GATEHOUSE_WARM', 'no', 'one of on, off'],
    ['GATEHOUSE_TEMPLATES', 'yes', 'one of on, off'],
    ['GATEHOUSE_NODE', 'node', 'the absolute path of a program'],
    ['GATEHOUSE_NODE', '/usr/bin/nowhere', 'the absolute path of a program'],
    ['GATEHOUSE_WORKSPACE_SHARE', '0', 'a number above 0 and up to 1'],
    ['GATEHOUSE_WORKSPACE_SHARE', '75%', 'a number above 0 and up to 1'],
    ['GATEHOUSE_METRICS_ALLOW', 'everybody', 'addresses or ranges'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'one of http/protobuf'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'one of parentbased_always_on, '],
  ])('stops the start with its name, what it got and what it takes: %s=%s', (name, value, takes) => {
    const start = (): Settings => new Settings({ [name]: value });
    expect(start).toThrow(`${name}: got "${value}"; it takes ${takes}`);
  });

  it.each<[string, string, string?]>([
    ['GATEHOUSE_BASE_URL', 'gatehouse.hidden', 'an address that begins with http:// or https://'],
    [
      'GATEHOUSE_FILES',
      'ftp://hidden',
      '`file:<directory>`, `s3://bucket/prefix` or the name of an extension',
    ],
    ['GATEHOUSE_FILES', '/hidden', '`file:<directory>`, `s3://bucket/prefix` or the name of an extension'],
    ['GATEHOUSE_FILES', 's3://key:hidden@bucket/files', '`file:<directory>`, `s3://bucket/prefix`'],
    ['GATEHOUSE_HOSTS', 'https://user:hidden@gatehouse.internal', 'names or addresses'],
    ['GATEHOUSE_OUTBOUND_ALLOW', 'http://user:hidden@proxy', 'addresses or ranges'],
    ['GATEHOUSE_S3_ENDPOINT', 'user:hidden@store', 'an address that begins with http:// or https://'],
    ['GATEHOUSE_VAULT_ADDRESS', 'https://user:hidden@vault', 'an https: address without a user'],
    ['GATEHOUSE_VAULT_ADDRESS', 'https://vault?token=hidden', 'an https: address without a user'],
    ['GATEHOUSE_VAULT_TOKEN_FILE', 'hvs.hidden', 'the absolute path of a file'],
    ['GATEHOUSE_VAULT_SECRET_ID_FILE', 'hidden', 'the absolute path of a file'],
    ['GATEHOUSE_VAULT_KUBERNETES_TOKEN_FILE', 'eyJ.hidden', 'the absolute path of a file'],
    ['GATEHOUSE_VAULT_ROLE_ID', 'hidden role', 'printable characters without blanks'],
    ['GATEHOUSE_VAULT_CA_FILE', '/hidden', 'the path of a file with certificates'],
    ['GATEHOUSE_AWS_SECRETS_ENDPOINT', 'https://AKIA:hidden@store', 'an https: address without a user'],
    [
      'GATEHOUSE_OIDC_ISSUER',
      'https://user:hidden@login',
      'the https: address that the provider calls itself',
    ],
    ['MAIL_FROM', 'hidden', 'an e-mail address, or `Name <address>`'],
    ['MAIL_FROM', 'a@hidden.example, b@hidden.example', 'an e-mail address, or `Name <address>`'],
    ['DATABASE_URL', 'mysql://user:hidden@host/db'],
    ['REDIS_URL', 'http://:hidden@host'],
    ['GATEHOUSE_MASTER_KEY', 'hidden'],
    ['GATEHOUSE_METRICS_TOKEN', 'hidden'],
    ['SMTP_URL', 'https://user:hidden@host'],
    ['SMTP_URL', 'smtp:hidden'],
    ['GATEHOUSE_MODEL_KEY', 'hidden key'],
    ['GATEHOUSE_MODEL_URL', 'https://user:hidden@host/v1'],
    ['GATEHOUSE_MODEL_URL', 'https://host/v1?key=hidden'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:hidden'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hidden'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'hidden', 'pairs such as key=value'],
    ['OTEL_TRACES_EXPORTER', 'hidden', 'one of otlp, none'],
  ])('is not repeated where it may hold a secret: %s=%s', (name, value, takes = '') => {
    const start = (): Settings => new Settings({ [name]: value });
    expect(start).toThrow(`${name}: got a value that does not fit; it takes ${takes}`);
    expect(start).not.toThrow('hidden');
  });

  it.each(NAMES)('never has a user with a password repeated, nor a key of a query: %s', (name) => {
    for (const value of ['x://user:hidden@host', 'hidden@host', 'https://host/?key=hidden', '/x#hidden']) {
      expect(refusalOf({ [name]: value }), value).not.toContain('hidden');
    }
  });

  it('is repeated only where it is a choice, a number, or a word of ours', () => {
    const repeated = NAMES.filter((name) => refusalOf({ [name]: 'hidden-word' }).includes('hidden-word'));
    expect(repeated).toContain('GATEHOUSE_ROLE');
    const mayBeSecret =
      /KEY|_TOKEN|SECRET(?!S_PREFIX)|PASSWORD$|URL|ADDRESS|ENDPOINT|ISSUER|CLIENT|SINK|HEADERS|_FILE|MAIL|_ID$/;
    expect(repeated.filter((name) => mayBeSecret.test(name))).toEqual([
      // Choices.
      'GATEHOUSE_FILE_LINKS',
      'GATEHOUSE_PERSONAL_TOKENS',
      // Ranges.
      'GATEHOUSE_PLAIN_SECRETS',
    ]);
  });

  it('is a file of plans that is another file, of which nothing is repeated', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'gatehouse-plans-')), 'token');
    try {
      writeFileSync(path, 'hvs.hidden');
      expect(refusalOf({ GATEHOUSE_PLANS: path })).toMatch(/GATEHOUSE_PLANS: .* \(it is no JSON\)/);
      writeFileSync(path, '{"default": hidden}');
      expect(refusalOf({ GATEHOUSE_PLANS: path })).not.toContain('hidden');
    } finally {
      rmSync(dirname(path), { recursive: true });
    }
  });

  it.each([
    ['GATEHOUSE_RATE_LIMT', 'GATEHOUSE_RATE_LIMIT'],
    ['GATEHOUSE_BASEURL', 'GATEHOUSE_BASE_URL'],
    ['GATEHOUSE_OUTBOUND_ALLOWED', 'GATEHOUSE_OUTBOUND_ALLOW'],
    ['GATEHOUSE_METRIC_ALLOW', 'GATEHOUSE_METRICS_ALLOW'],
  ])('is one whose name is misspelt: %s', (name, meant) => {
    expect(() => new Settings({ [name]: '1' })).toThrow(
      `${name}: there is no such setting. Did you mean ${meant}?`,
    );
  });

  it('is one of which nobody knows what is meant', () => {
    expect(() => new Settings({ GATEHOUSE_SOMETHING_ELSE_ENTIRELY: '1' })).toThrow('.env.example lists');
  });

  it.each([
    ['GATEHOUSE_TOKEN', 'svc_pat_x'],
    ['GATEHOUSE_TEST_BROWSER', '/usr/bin/chromium'],
    ['GATEHOUSE_SERVICE_HOST', '10.0.0.1'],
    ['GATEHOUSE_SERVICE_PORT_HTTP', '3000'],
    ['GATEHOUSE_PORT', 'tcp://10.0.0.1:3000'],
    ['GATEHOUSE_PORT_3000_TCP_ADDR', '10.0.0.1'],
    ['GATEHOUSE_RATE_LIMT', ''],
    ['EXTENSION_CHAT_TOKEN', 'x'],
  ])('is none that something else has set: %s', (name, value) => {
    expect(new Settings({ [name]: value })).toEqual(new Settings({}));
  });

  it('does not hide the others', () => {
    expect(() => new Settings({ PORT: 'x', GATEHOUSE_SIGNUP: 'y' })).toThrow(
      /PORT: .*\n.*GATEHOUSE_SIGNUP: /,
    );
  });
});

it.each([
  [{}, 'Gatehouse <gatehouse@localhost>'],
  [{ GATEHOUSE_BASE_URL: 'https://gate.example.com:8443/x' }, 'Gatehouse <gatehouse@gate.example.com>'],
  [{ GATEHOUSE_BASE_URL: 'http://[::1]:3000' }, 'Gatehouse <gatehouse@localhost>'],
  [{ MAIL_FROM: 'ops@example.com' }, 'ops@example.com'],
  [{ MAIL_FROM: 'Überwachung Süd <ops@example.com>' }, 'Überwachung Süd <ops@example.com>'],
])('knows whom mail comes from: %o', (environment, from) => {
  expect(new Settings(environment).mailFrom).toBe(from);
});

it('reads plans from the setting itself or from the file that it names', () => {
  const json = '{"pro": {"limits": {"runs": 5}}}';
  const path = join(mkdtempSync(join(tmpdir(), 'gatehouse-plans-')), 'plans.json');
  try {
    writeFileSync(path, json);
    for (const value of [json, path]) {
      const { plans } = new Settings({ GATEHOUSE_PLANS: value });
      expect(plans.get('pro')?.limits).toEqual({ runs: 5 });
    }
  } finally {
    rmSync(dirname(path), { recursive: true });
  }
});

it('takes addresses and ranges', () => {
  const { outboundAllow } = new Settings({
    GATEHOUSE_OUTBOUND_ALLOW: '10.0.0.0/8, 192.168.1.4,fd00::/8,::1',
  });
  expect(outboundAllow).toEqual(['10.0.0.0/8', '192.168.1.4', 'fd00::/8', '::1']);
});

describe('tracing', () => {
  const ENDPOINT = 'http://collector:4318';

  it.each([
    [{}],
    [{ OTEL_SERVICE_NAME: 'gatehouse', OTEL_TRACES_SAMPLER: 'always_on' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ])('is off with %j', (environment) => expect(new Settings(environment).tracing).toBeNull());

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/v1/traces` }],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('is on with %j', (environment) =>
    expect(new Settings(environment).tracing).toEqual({ sampler: 'parentbased_always_on', samplerRatio: 1 }),
  );

  it('records the part that is asked for', () => {
    const environment = {
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(new Settings(environment).tracing).toEqual({ sampler: 'traceidratio', samplerRatio: 0.25 });
  });
});

it.each([
  ['syslog+tls://[::1]:6514', { kind: 'syslog', host: '[::1]', port: 6514, tls: true }],
  ['syslog+tcp://logs.example.com:514/', { kind: 'syslog', host: 'logs.example.com', port: 514, tls: false }],
  [
    's3://bucket/audit/',
    { kind: 's3', bucket: 'bucket', prefix: 'audit', endpoint: null, region: 'us-east-1' },
  ],
])('knows where entries are sent: %s', (value, sink) => {
  expect(new Settings({ GATEHOUSE_LOG_SINK: value }).logSink).toEqual(sink);
});

it.each(['syslog://h:1', 'syslog+tcp://h', 'syslog+tcp://u:p@h:1', 'syslog+tcp://h:0', 'otlp', 'https://h'])(
  'takes no sink that it does not know, nor a collector without an address: %s',
  (value) => {
    expect(() => new Settings({ GATEHOUSE_LOG_SINK: value })).toThrow(/GATEHOUSE_LOG_SINK: .*syslog\+tls/);
  },
);

it.each(['syslog+tls://user:a-secret@host:6514', 's3://key:a-secret@bucket/audit'])(
  'refuses a sink with a password in its address, and does not repeat it: %s',
  (value) => {
    const refusal = (): Settings => new Settings({ GATEHOUSE_LOG_SINK: value });
    expect(refusal).toThrow('GATEHOUSE_LOG_SINK: got a value that does not fit');
    expect(refusal).not.toThrow('a-secret');
  },
);

it('sends to a collector that the variables of OpenTelemetry name', () => {
  const environment = {
    GATEHOUSE_LOG_SINK: 'otlp',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://c:4318/v1/logs',
  };
  expect(new Settings(environment).logSink).toEqual({ kind: 'otlp' });
});
