import { randomOctets } from '../crypto/random-octets.js';

export const newRequestId = (): string => `req_${Buffer.from(randomOctets(12)).toString('hex')}`;
