import { agentsSuite } from './agents-suite.ts';
import { askSuite } from './ask-suite.ts';
import { clusterJoinSuite } from './cluster-join-suite.ts';
import { clusterSuite } from './cluster-suite.ts';
import { commandSuite } from './command-suite.ts';
import { driveSuite } from './drive-suite.ts';
import { growthSuite } from './growth-suite.ts';
import { httpSuite } from './http-suite.ts';
import { importSuite } from './import-suite.ts';
import { librarySuite } from './library-suite.ts';
import { listSuite } from './list-suite.ts';
import { memorySuite } from './memory-suite.ts';
import { microSuite } from './micro-suite.ts';
import { nodesSuite } from './nodes-suite.ts';
import { oauthSuite } from './oauth-suite.ts';
import { organizationsSuite } from './organizations-suite.ts';
import { manyPeopleSuite, peopleSuite } from './people-suite.ts';
import { scimSuite } from './scim-suite.ts';
import { shapeSuites } from './shape-suites.ts';
import type { Suite } from './suite.ts';
import { trailSuite } from './trail-suite.ts';
import { webhooksSuite } from './webhooks-suite.ts';
import { writeSuite } from './write-suite.ts';

/** In the order of the table. The imports come first: what they load is what the others read. */
export const suites: readonly Suite[] = [
  importSuite('1m', 1_000_000, 250_000),
  importSuite('10m', 10_000_000, 180_000),
  commandSuite('1m', 1_000_000, 250_000),
  commandSuite('10m', 10_000_000, 180_000),
  driveSuite('1m', 1_000_000, 3),
  driveSuite('10m', 10_000_000, 6),
  growthSuite,
  ...shapeSuites,
  listSuite,
  writeSuite,
  memorySuite,
  microSuite,
  librarySuite,
  httpSuite,
  trailSuite,
  nodesSuite,
  peopleSuite,
  manyPeopleSuite,
  organizationsSuite,
  oauthSuite,
  scimSuite,
  webhooksSuite,
  askSuite,
  agentsSuite,
  clusterSuite,
  clusterJoinSuite('1m', 1_000_000),
  clusterJoinSuite('10m', 10_000_000),
];
