import { randomOctets } from '../crypto/index.js';

export const newRequestId = (): string => `req_${Buffer.from(randomOctets(12)).toString('hex')}`;
