import { driveSuite } from './drive-suite.ts';
import { shapeSuites } from './shape-suites.ts';
import type { Suite } from './suite.ts';

/** In the order of the table. */
export const suites: readonly Suite[] = [
  driveSuite('1m', 1_000_000, 3),
  driveSuite('10m', 10_000_000, 6),
  ...shapeSuites,
];
