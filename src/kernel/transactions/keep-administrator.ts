import { type Change, modelFromJson, type Precondition, parseSubject, type Store, type Tuple } from '#engine';
import type { Actors } from '../actors/index.ts';
import type { Organization } from '../organizations/index.ts';
import { permissionObject, type Reach, reachOf } from '../rights/index.ts';
import { type AdministratorParts, AdministratorSearch } from './administrator-search.ts';
import { refused } from './problems.ts';
import { type Kept, relationOf, restOnRights, takenTuples, takesWhole } from './rights-version.ts';

export interface Leaving {
  /** What the command changes. */
  readonly changes: readonly Change[];
  /** A subject that stops being a lasting administrator without a change of tuples: a key that gets an expiry. */
  readonly subject?: string;
  /** Whether it was planned for a caller whose rights tuples say. */
  readonly hasCaller: boolean;
  readonly now: number;
}

/**
 * Makes sure that an administrator remains, by the system model and by the organization's, and that the caller's rights
 * do. Answers what the command must carry for that. To be called in the snapshot that the changes were planned in.
 * @throws ProblemError 422 if none would remain, or if that could not be decided
 */
export function keepAdministrator(parts: AdministratorParts, organization: Organization, leaving: Leaving): Kept {
  const { changes, subject, hasCaller } = leaving;
  const { store } = organization;
  const reach = reachAfter(parts, store, changes);
  requireAdministrator(parts, organization, leaving, reach);
  const { changes: marks, preconditions } = restOnRights(store, {
    actors: parts.actors,
    changes,
    reach,
    isLimiting: subject !== undefined,
    hasCaller,
  });
  return {
    changes: marks,
    preconditions: changes.some(mayMatter) ? [sameModel(store), ...preconditions] : preconditions,
  };
}

function requireAdministrator(
  parts: AdministratorParts,
  organization: Organization,
  { changes, subject: limited, now }: Leaving,
  reach: Reach,
): void {
  const isAtRisk =
    limited !== undefined || changes.some((change) => mayRemove(parts, organization, changes, change, reach));
  if (!isAtRisk) return;
  const search = new AdministratorSearch(parts, organization, now);
  if (search.find({ changes, reach, gone: limited }) !== undefined) return;
  const isNone = search.find({ changes: [], reach: parts.rights.reach(organization.store) }) === undefined;
  if (search.undecided !== undefined) throw refused(search.undecided);
  if (!isNone) throw refused('This would remove the last administrator.');
}

/** A change that does not touch rights by this model may do so by the next one. It is then judged again. */
export function sameModel(store: Store): Precondition {
  return { require: 'latest_model', store: store.name, modelId: store.latestModelId() ?? null };
}

/** By the model that these changes leave. */
function reachAfter({ rights }: AdministratorParts, store: Store, changes: readonly Change[]): Reach {
  const written = changes.findLast((change) => change.op === 'write_model');
  return written === undefined ? rights.reach(store) : reachOf(modelFromJson(written.model.json));
}

/** Whether one of some changes can remove or make an administrator. */
function mayRemove(
  { rights, actors }: AdministratorParts,
  organization: Organization,
  changes: readonly Change[],
  change: Change,
  reach: Reach,
): boolean {
  if (change.op === 'write_model') return !reach.isPlain;
  if (takesWhole(change, reach, actors)) return true;
  return takenTuples(change, reach).some((tuple) => {
    if (reach.isPlain && relationOf(tuple) === 'permission#granted' && tuple.object !== fullAdministration)
      return false;
    const named = onlyNamed(tuple, reach, actors);
    return (
      named === undefined ||
      organization.store.isSuspended(named) ||
      rights.isAdministrator(organization, named, changes)
    );
  });
}

/** Whether a change can remove an administrator under some model. */
function mayMatter({ op }: Change): boolean {
  return changesOfRights.has(op);
}

const changesOfRights: ReadonlySet<Change['op']> = new Set([
  'write_tuples',
  'delete_tuples',
  'delete_object',
  'suspend_subject',
  'restore_subject',
]);

/** The subject whose rights a tuple is about; undefined if it can be about several. */
function onlyNamed(tuple: Tuple, { tuplesets }: Reach, actors: Actors): string | undefined {
  const { type, relation } = parseSubject(tuple.subject);
  return relation === '' && actors.isType(type) && !tuplesets.has(relationOf(tuple)) ? tuple.subject : undefined;
}

const fullAdministration = permissionObject('settings.manage');
