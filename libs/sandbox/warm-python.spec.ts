import { describeBothWays } from './test/programs/both-ways.js';
import { PYTHON_PROGRAMS } from './test/programs/python-programs.js';

describeBothWays('a Python that was started before its run', 'python3', PYTHON_PROGRAMS);
