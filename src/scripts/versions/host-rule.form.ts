export const MAX_METHODS = 10;
export const MAX_PATHS = 20;
export const MAX_PATH_LENGTH = 500;
export const METHOD = /^[A-Z][A-Z-]{0,23}$/;
/** The characters of a URL's path but the semicolon, which servers read differently; a star only at the end. */
export const PATH = /^\/[A-Za-z0-9\-._~!$&'()+,=:@%/]*\*?$/;
