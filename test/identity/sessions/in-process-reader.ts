import { Engine } from '../../../engine/index.ts';
import {
  DefinedPermissions,
  ModelRelations,
  RevisionTokens,
  UnheldPermissions,
} from '../../../src/access/decisions/index.ts';
import { actors } from '../../../src/directory/records/index.ts';
import { OrganizationDirectory } from '../../../src/kernel/organizations/index.ts';
import { RightCheck } from '../../../src/kernel/rights/index.ts';
import type { Config, ManualClock } from '../../../src/platform/index.ts';
import { assignmentsOf, type ServiceModule, systemModelOf } from '../../../src/server/modules.ts';
import type { ReaderDependencies } from '../../../src/server/threads/open-reader.ts';
import { NAME_BYTES_OF_TESTS } from '../../engine/scratch-engine.ts';

/** What a thread of the service decides with, over a store that this process writes itself. */
export async function openReader(
  path: string,
  { limits }: Config,
  clock: ManualClock,
  all: readonly ServiceModule[],
): Promise<ReaderDependencies> {
  const chainKey = Buffer.alloc(32, 7);
  // what these tests ask about does not depend on what a power cut leaves
  const options = { chainKey, unsafeNoSync: true, nameBytes: NAME_BYTES_OF_TESTS };
  const engine = await Engine.open({ ...options, path, clock: () => clock.now() });
  const relations = new ModelRelations();
  return {
    engine,
    clock,
    limits,
    relations,
    rights: new RightCheck(),
    actors,
    assignments: assignmentsOf(all),
    defined: new DefinedPermissions(relations),
    unheld: new UnheldPermissions(relations),
    tokens: new RevisionTokens(engine.logIdentity),
    directory: new OrganizationDirectory(engine),
    systemModel: systemModelOf(all),
  };
}
