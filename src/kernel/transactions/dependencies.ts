import type { Engine } from '#engine';
import type { Clock } from '../../platform/index.ts';
import type { Actors } from '../actors/index.ts';
import type { CallerAuditMaker } from '../audit/index.ts';
import type { RightCheck } from '../rights/index.ts';

/** What every administration endpoint works with. */
export interface AdminDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly rights: RightCheck;
  readonly actors: Actors;
  readonly audit: CallerAuditMaker;
}
