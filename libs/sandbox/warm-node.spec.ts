import { describeBothWays } from './test/programs/both-ways.js';
import { NODE_PROGRAMS } from './test/programs/node-programs.js';

describeBothWays('a Node that was started before its run', 'node', NODE_PROGRAMS);
