// Figures of running scripts, each against a bare baseline in the same run. See README.md beside this file.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import autocannon from 'autocannon';
import express from 'express';
import pg from 'pg';
