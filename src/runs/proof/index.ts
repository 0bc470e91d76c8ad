export { ProofModule } from './proof.module.js';
export { type ProofReport } from './proof-report.js';
export { proveHere } from './prove-here.js';
export { type SignedReport, signReport, type Verdict, verifyReport } from './signed-report.js';
export type { WallResult } from './wall.js';
