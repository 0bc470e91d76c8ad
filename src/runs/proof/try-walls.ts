import { inTime } from '../../core/time-limit/index.js';
import { ProofBench, type BenchParts } from './proof-bench.js';
import { lackingOf, resultOf, untriedOf, type Wall, type WallResult } from './wall.js';
import { WALLS } from './walls/index.js';

/** Of a wall: its attacks end by themselves long before, so something hangs. */
const MOST_MS = 120_000;
/** How many walls are tried at a time, where there are boxes for it. */
const AT_A_TIME = 2;

const NO_PYTHON = {
  found: 'the attacks are programs in Python, which is not installed',
  cure: 'Install it: apt-get install python3',
};

const ONE_PLACE = {
  found: 'the attack takes two runs at a time, and there is a place for one',
  cure: 'Set GATEHOUSE_RUN_CONCURRENCY to 2 or more.',
};

interface TryOptions {
  /** How many boxes there may be at a time. */
  places: number;
  walls?: readonly Wall[];
}

/** Walls for which there is time at the start of a worker. */
export const QUICK_WALLS: readonly Wall[] = WALLS.filter(({ quick }) => quick);

/** Tries walls, and says of each what became of it, in their order. */
export async function tryWalls(
  parts: BenchParts,
  { places, walls = WALLS }: TryOptions,
): Promise<WallResult[]> {
  const bench = new ProofBench(parts);
  const results = new Map<Wall, WallResult>();
  const waiting = walls.filter((wall) => !isAlone(wall));
  const lanes = Math.max(1, Math.min(AT_A_TIME, Math.floor(places / 2)));
  const lane = async (): Promise<void> => {
    for (let wall = waiting.shift(); wall; wall = waiting.shift())
      results.set(wall, await tryWall(bench, wall, places));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const wall of walls.filter(isAlone)) results.set(wall, await tryWall(bench, wall, places));
  return walls.map((wall) => results.get(wall)!);
}

const isAlone = (wall: Wall): boolean => wall === WALLS.at(-1);

async function tryWall(bench: ProofBench, wall: Wall, places: number): Promise<WallResult> {
  const lack = bench.parts.sandbox.runtimes.python === null ? NO_PYTHON : (wall.lacks?.(bench) ?? null);
  if (lack) return lackingOf(wall, lack);
  if ((wall.boxes ?? 1) > places) return lackingOf(wall, ONE_PLACE);
  try {
    return resultOf(wall, await inTime({ ms: MOST_MS }, () => wall.attack(bench)));
  } catch (error) {
    return untriedOf(wall, error);
  }
}
