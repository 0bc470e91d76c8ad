export const MAX_SECRETS = 50;
export const MAX_VALUE_LENGTH = 1000;
export const MAX_HEADER_LENGTH = 100;
export const PLACEHOLDER = '{secret}';
/** A token of HTTP. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII with the placeholder in it. */
export const HEADER_VALUE = /^[\x20-\x7e]*\{secret\}[\x20-\x7e]*$/;
