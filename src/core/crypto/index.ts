export { CLOCKS_APART_MS, defineId, firstIdAt, IdForm, instantOf, isId, newId } from './ids.js';
export { MASTER_KEY_BYTES, MasterKey } from './master-key.js';
export { hashPassword, verifyPassword } from './passwords.js';
export { randomOctets } from './random-octets.js';
export { seal, unseal } from './sealed-box.js';
export { hashToken, issueToken, randomText, tokenKind, type TokenKind } from './tokens.js';
