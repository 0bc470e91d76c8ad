/** What a CSV file says of each run. */
export const RUN_COLUMNS = [
  ...['id', 'script.slug', 'version', 'environment', 'status', 'phase', 'error', 'endReason'],
  ...[
    'startedAt',
    'executionStartedAt',
    'finishedAt',
    'durationMs',
    'cpuMs',
    'peakMemoryBytes',
    'attempt',
    'logLines',
    'test',
    'trial',
    'plan',
  ],
  ...['interface', 'startedBy.userId', 'startedBy.credentialType', 'startedBy.credentialName'],
  ...['causedBy.type', 'causedBy.id', 'approvalRequestId', 'scheduleId', 'triggerId', 'hookId'],
  ...['priority', 'queue', 'concurrencyKey', 'labels'],
];
