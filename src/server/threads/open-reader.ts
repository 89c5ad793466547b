import { join } from 'node:path';
import { type CommandLog, Engine, EngineError } from '#engine';
import {
  type DecisionDependencies,
  DefinedPermissions,
  ModelRelations,
  RevisionTokens,
  UnheldPermissions,
} from '../../access/decisions/index.ts';
import type { IdentifyDependencies } from '../../access/guard/index.ts';
import { actors } from '../../directory/records/index.ts';
import type { Actors } from '../../kernel/actors/index.ts';
import type { Assignments } from '../../kernel/assignments/index.ts';
import { OrganizationDirectory } from '../../kernel/organizations/index.ts';
import { RightCheck, restoreSystemModel } from '../../kernel/rights/index.ts';
import { systemClock } from '../../platform/index.ts';
import { assignmentsOf, modules } from '../modules.ts';
import { type ReaderData, storeFolder } from './thread-data.ts';

/** What a thread decides with. */
export interface ReaderDependencies extends DecisionDependencies, IdentifyDependencies {
  readonly actors: Actors;
  readonly assignments: Assignments;
}

/** Opens the store in a thread that reads; `log` is its way to the writer. */
export async function openReader(data: ReaderData, log: CommandLog, cacheBytes?: number): Promise<ReaderDependencies> {
  const { dataDir, limits } = data.config;
  const engine = await Engine.open({
    path: join(dataDir, storeFolder),
    joined: { shared: data.shared, log },
    limits: {
      depthMax: limits.evaluationDepth,
      nodesMax: limits.evaluationNodes,
      timeMaxMs: limits.evaluationTimeMs,
      contextualTuplesMax: limits.contextualTuples,
    },
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
  const relations = new ModelRelations();
  return {
    engine,
    clock: systemClock,
    limits,
    rights: new RightCheck(),
    actors,
    assignments: assignmentsOf(modules),
    relations,
    defined: new DefinedPermissions(relations),
    unheld: new UnheldPermissions(relations),
    tokens: new RevisionTokens(engine.logIdentity),
    directory: new OrganizationDirectory(engine),
    systemModel: restoreSystemModel(data.systemModel),
  };
}

/** For threads that only read. */
export const noLog: CommandLog = {
  pending: 0,
  submit: () => Promise.reject(new EngineError('unavailable', 'this thread does not write')),
  barrier: () => Promise.reject(new EngineError('unavailable', 'this thread has no way to the log')),
  close: () => Promise.resolve(),
};
