const MASK = '***';
/** Whole words, so that nothing is kept from whoever approves, such as `keyword` or `max_tokens`. */
const SECRET_NAME =
  /(?:^|[^a-z0-9])(?:[a-z0-9]*(?:token|secret|passw(?:or)?d|passphrase|signature|apikey)|authorization|cookie|auth|pass|pwd|sig|credential|jwt|(?:api|access|private|subscription)[-_]?key|session[-_]?id)(?![a-z0-9])/;

/** What people see of a header's value: nothing where its name says that it is secret. */
export function maskedHeader(name: string, value: string): string {
  return isSecret(name) ? MASK : value;
}

/** Likewise of a query's parameters. */
export function maskedQuery(query: string): string {
  const masked = (part: string): string => {
    const name = part.slice(0, Math.max(0, part.indexOf('=')));
    return isSecret(name) ? `${name}=${MASK}` : part;
  };
  return query
    .split(/([&;])/)
    .map(masked)
    .join('');
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase());
}
