export const MAX_METHODS = 10;
export const MAX_PATHS = 20;
export const MAX_PATH_LENGTH = 500;
export const METHOD = /^[A-Z][A-Z-]{0,23}$/;
/** The characters of a URL's path but the semicolon, which servers read differently; a star only at the end. */
export const PATH = /^\/[A-Za-z0-9\-._~!$&'()+,=:@%/]*\*?$/;
/** Beside HTTPS. */
export const PROTOCOLS = ['http', 'tls', 'tcp', 'postgres'] as const;
/** When a request that fits a rule is asked about. */
export const ASKS = ['always', 'agents'] as const;
/** Of PostgreSQL's names. Source: NAMEDATALEN in its documentation. */
export const MAX_NAME_BYTES = 63;
export const POSTGRES_NAME = /^[^\p{Cc}]+$/u;
export const MOST_CONNECTIONS = 100;
export const MOST_STATEMENT_SECONDS = 3600;
/** Of what stands in for a host in a plan. */
export const MAX_PLANNED_BYTES = 4096;
export const CONTENT_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,30})?$/;
