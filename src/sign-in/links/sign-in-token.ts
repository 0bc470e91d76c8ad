/** 256 bits in base62. */
export const SIGN_IN_TOKEN_LENGTH = 43;
