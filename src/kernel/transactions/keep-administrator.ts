import { type Change, modelFromJson, type Precondition, type Store } from '#engine';
import type { Organization } from '../organizations/index.ts';
import { type Reach, reachOf } from '../rights/index.ts';
import { type AdministratorDependencies, AdministratorSearch } from './administrator-search.ts';
import { refused } from './problems.ts';
import { type Revocation, revocationsOf } from './revocation.ts';
import { type Kept, restOnRights } from './rights-version.ts';

export interface Leaving {
  /** What the command changes. */
  readonly changes: readonly Change[];
  /** A subject that stops being a lasting administrator without a change of tuples: a key that gets an expiry. */
  readonly limited?: string | undefined;
  /** Whose rights it was planned with: see `rightsHolders`. */
  readonly holders: readonly string[];
  readonly now: number;
}

/**
 * Most revocations of which each is asked whether it can remove an administrator. Each answer looks at all changes. Of
 * more, it is assumed that they can, and required that an administrator remains.
 */
const ASKED_MAX = 16;

/**
 * Makes sure that an administrator remains, by the system model and by the organization's, and that the caller's rights
 * do. Answers what the command must carry for that. To be called in the snapshot that the changes were planned in.
 *
 * A command that may remove an administrator writes the organization's record, and requires the version of whoever
 * remains. So it waits for all that rest on rights, and a revocation of rights of the one who remains waits for it.
 * @throws ProblemError 422 if none would remain, or if that could not be decided
 */
export function keepAdministrator(
  dependencies: AdministratorDependencies,
  organization: Organization,
  leaving: Leaving,
): Kept {
  const { changes, limited, holders } = leaving;
  const { store } = organization;
  const reach = reachAfter(dependencies, store, changes);
  const revocations = [
    ...revocationsOf(changes, reach, dependencies.actors),
    ...(limited === undefined ? [] : [{ from: limited, isOfAdministrators: true }]),
  ];
  const isAtRisk =
    revocations.filter(({ isOfAdministrators }) => isOfAdministrators).length > ASKED_MAX ||
    revocations.some((revocation) => mayRemove(dependencies, organization, changes, revocation));
  const remaining = isAtRisk ? requireAdministrator(dependencies, organization, leaving, reach) : undefined;
  const { changes: marks, preconditions } = restOnRights(store, {
    revocations,
    isOfMany: isAtRisk || !reach.isPlain,
    holders: remaining === undefined ? holders : [...holders, remaining],
  });
  return {
    changes: marks,
    preconditions: changes.some(mayMatter) ? [sameModel(store), ...preconditions] : preconditions,
  };
}

/** Who remains; undefined where nobody administers the organization now. */
function requireAdministrator(
  dependencies: AdministratorDependencies,
  organization: Organization,
  { changes, limited, now }: Leaving,
  reach: Reach,
): string | undefined {
  const search = new AdministratorSearch(dependencies, organization, now);
  const remaining = search.find({ changes, reach, gone: limited });
  if (remaining !== undefined) return remaining.at(-1)?.subject;
  const isNone = search.find({ changes: [], reach: dependencies.rights.reach(organization.store) }) === undefined;
  if (search.undecided !== undefined) throw refused(search.undecided);
  if (!isNone) throw refused('This would remove the last administrator.');
  return undefined;
}

/** A change that does not touch rights by this model may do so by the next one. It is then judged again. */
export function sameModel(store: Store): Precondition {
  return { require: 'latest_model', store: store.name, modelId: store.latestModelId() ?? null };
}

/** By the model that these changes leave. */
function reachAfter({ rights }: AdministratorDependencies, store: Store, changes: readonly Change[]): Reach {
  const written = changes.findLast((change) => change.op === 'write_model');
  return written === undefined ? rights.reach(store) : reachOf(modelFromJson(written.model.json));
}

/** Whether a revocation can remove an administrator, or make one. */
function mayRemove(
  { rights }: AdministratorDependencies,
  organization: Organization,
  changes: readonly Change[],
  { from, isOfAdministrators }: Revocation,
): boolean {
  if (!isOfAdministrators) return false;
  return (
    from === undefined || organization.store.isSuspended(from) || rights.isAdministrator(organization, from, changes)
  );
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
