/** Where Debian keeps the authorities that programs trust; in a box it holds the one that the caller names. */
export const TRUSTED_FILE = '/etc/ssl/certs/ca-certificates.crt';

/** Where other distributions have that file; programs built for those look there. */
export const TRUSTED_ALIASES = [
  '/etc/ssl/cert.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cert.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
];

/** For programs that bring a list of authorities with them. */
const TRUST_ENVIRONMENT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'PIP_CERT'],
      ...['AWS_CA_BUNDLE', 'DENO_CERT', 'HTTPLIB2_CA_CERTS', 'NIX_SSL_CERT_FILE', 'CARGO_HTTP_CAINFO'],
      ...['GRPC_DEFAULT_SSL_ROOTS_FILE_PATH', 'PERL_LWP_SSL_CA_FILE'],
    ].map((name) => [name, TRUSTED_FILE]),
  ),
  SSL_CERT_DIR: '/etc/ssl/certs',
};

/** Node's own list is part of its program; NODE_EXTRA_CA_CERTS would take 50 ms longer than this. */
export const NODE_TRUST_OPTION = '--use-openssl-ca';

/** @returns the environment with what makes programs trust the box's authority; what a run sets itself stays. */
export function withTrust(env: Readonly<Record<string, string>>): Record<string, string> {
  const { NODE_OPTIONS: own } = env;
  return {
    ...TRUST_ENVIRONMENT,
    ...env,
    NODE_OPTIONS: own ? `${NODE_TRUST_OPTION} ${own}` : NODE_TRUST_OPTION,
  };
}
