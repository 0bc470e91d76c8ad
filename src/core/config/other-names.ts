/** What the names of our own variables begin with. */
export const OWN = 'GATEHOUSE_';

/** Variables of ours that are no settings of the service, but may well be in its environment. */
const OTHERS = new Set([
  // The operator's command line.
  'GATEHOUSE_NEW_MASTER_KEY',
  'GATEHOUSE_NEW_DATABASE_URL',
  // The command line, and what it makes for other programs.
  'GATEHOUSE_URL',
  'GATEHOUSE_TOKEN',
  'GATEHOUSE_WORKSPACE',
  'GATEHOUSE_ENVIRONMENT',
  'GATEHOUSE_PROFILE',
  'GATEHOUSE_API_KEY',
  'GATEHOUSE_WEBHOOK_SECRET',
  // What a script has in its box.
  'GATEHOUSE_INPUTS',
  'GATEHOUSE_RUN_ID',
  'GATEHOUSE_SCRIPT',
  // compose.yaml, whose `.env` all of it is given to the service as well.
  'GATEHOUSE_IMAGE',
  'GATEHOUSE_PUBLISH',
  // The tests.
  'GATEHOUSE_FORBID_SKIPS',
]);
const OF_TESTS = /^GATEHOUSE_TEST_/;

/** Kubernetes tells a pod of each service of its namespace, also of one that is called `gatehouse` or `gatehouse-…`. */
const OF_KUBERNETES = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const ADDRESS_OF_KUBERNETES = /^(?:tcp|udp|sctp):\/\//;

/** Whether a variable that is no setting is there for a reason. */
export function isKnownBesides(name: string, value: string): boolean {
  if (OTHERS.has(name) || OF_TESTS.test(name) || OF_KUBERNETES.test(name)) return true;
  return name.endsWith('_PORT') && ADDRESS_OF_KUBERNETES.test(value);
}
