import type { DataSet, Questions } from '../data/data-set.ts';
import { Deep } from '../data/deep.ts';
import { Hosting } from '../data/hosting/hosting.ts';
import { Rbac } from '../data/rbac.ts';
import { Wide } from '../data/wide.ts';
import { lmdbBaseline } from '../measure/lmdb-baseline.ts';
import { atMost, type Target } from '../report/line.ts';
import { dataFolder } from '../store/data-folder.ts';
import { openStore } from '../store/opened-store.ts';
import { checkLines } from './check-lines.ts';
import { type Suite, unlessSmoke } from './suite.ts';

const QUESTIONS = 1_000_000;
const SMOKE_QUESTIONS = 1_000;
const WARM_CACHE_BYTES = 1024 * 2 ** 20;

interface Asked extends DataSet {
  questions(count: number): Questions;
}

interface Shape {
  readonly name: string;
  readonly about: string;
  readonly medianTarget?: Target;
  full(): Asked;
  smoke(): Asked;
}

const shapes: readonly Shape[] = [
  {
    name: 'rbac',
    about: '10,000 users, 500 roles, 110,000 grants',
    full: () => new Rbac(),
    smoke: () => new Rbac({ users: 400, roles: 50, permissions: 200, rolesPerUser: 3, permissionsPerRole: 5 }),
  },
  {
    name: 'hosting',
    about: 'an organization with 50,000 users, teams five deep and 100,000 repositories',
    full: () => new Hosting(),
    smoke: () => new Hosting({ users: 500, teams: 40, repositories: 500 }),
  },
  {
    name: 'wide',
    about: 'one object with 100,000 usersets, the subject in three of them or in none',
    medianTarget: atMost(50),
    full: () => new Wide(),
    smoke: () => new Wide({ groups: 1_000, users: 3_000 }),
  },
  {
    name: 'deep',
    about: 'groups nested 20 deep',
    medianTarget: atMost(50),
    full: () => new Deep(),
    smoke: () => new Deep({ chains: 50, membersPerChain: 40 }),
  },
];

export const shapeSuites: readonly Suite[] = shapes.map((shape) => ({
  name: shape.name,
  about: shape.about,
  async run(bench) {
    const data = bench.isSmoke ? shape.smoke() : shape.full();
    const folder = await dataFolder(data);
    const lmdb = await lmdbBaseline(folder);
    const opened = await openStore(folder, { cacheBytes: WARM_CACHE_BYTES });
    await checkLines(bench, opened, lmdb, {
      name: shape.name,
      data,
      questions: data.questions(bench.isSmoke ? SMOKE_QUESTIONS : QUESTIONS),
      medianTarget: shape.medianTarget && unlessSmoke(bench, shape.medianTarget),
    });
    await opened.close();
  },
}));
