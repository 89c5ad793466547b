import { type Change, modelFromJson, type Precondition, type Store } from '#engine';
import type { Organization } from '../organizations/index.ts';
import { type Administration, otherAdministrator, type Reach, reachOf } from '../rights/index.ts';
import type { AdminDependencies } from './dependencies.ts';
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
 * Each of so many revocations is asked whether it can remove an administrator. Each answer looks at all changes. With
 * more revocations, it is assumed that they can, and required that an administrator remains.
 */
const ASKED_MAX = 16;

/**
 * Makes sure that an administrator remains, by the system model and by the organization's, and that the caller keeps
 * its rights. Answers what the command must carry for that. To be called in the snapshot that the changes were planned
 * in.
 *
 * A command that may remove an administrator writes the organization's record, and requires the version of whoever
 * remains. So it waits for all commands that depend on rights, and a revocation for the one who remains waits for it.
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

/** A change that does not touch rights by this model may do so by the next one. Then it is judged again. */
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

/** Most administrators for whom the organization's model is asked: each takes two checks. */
const TRIED_MAX = 200;
/** After this time no other administrator is asked about. The two checks under way have bounds of their own. */
const TIME_MAX_MS = 3_000;

/** What administrators are found with. */
export type AdministratorDependencies = Pick<AdminDependencies, 'rights' | 'actors'>;

export interface SearchedAfter {
  /** What is about to be committed. */
  readonly changes: readonly Change[];
  /** By the model that the changes leave. */
  readonly reach: Reach;
  /** A subject that does not count. */
  readonly gone?: string | undefined;
}

/** Looks for administrators of one organization. All its searches together have one bound of time. */
export class AdministratorSearch {
  /** Why an answer `undefined` does not mean that there is none. */
  undecided: string | undefined;
  readonly #dependencies: AdministratorDependencies;
  readonly #organization: Organization;
  readonly #now: number;
  readonly #elapsed: () => number;
  readonly #until: number;

  /** @param elapsed milliseconds, of a clock that only goes forward */
  constructor(
    dependencies: AdministratorDependencies,
    organization: Organization,
    now: number,
    elapsed: () => number = () => performance.now(),
  ) {
    this.#dependencies = dependencies;
    this.#organization = organization;
    this.#now = now;
    this.#elapsed = elapsed;
    this.#until = elapsed() + TIME_MAX_MS;
  }

  /** Somebody who administers the organization after some changes. To be called inside `Engine.read`. */
  find({ changes, reach, gone }: SearchedAfter): Administration | undefined {
    const { store } = this.#organization;
    const { actors } = this.#dependencies;
    let tried = 0;
    const isOne = (subject: string): boolean =>
      subject !== gone &&
      actors.isPermanent(store, subject) &&
      (reach.isPlain || this.#isAllowed(subject, changes, tried++));
    return otherAdministrator({ store, changes, isOne });
  }

  #isAllowed(subject: string, changes: readonly Change[], tried: number): boolean {
    if (tried >= TRIED_MAX) {
      this.undecided = `The model leaves none of ${TRIED_MAX} administrators, and no more of them are tried.`;
      return false;
    }
    const isAllowed =
      this.#elapsed() > this.#until
        ? undefined
        : this.#dependencies.rights.isPermanentAdministrator(this.#organization, subject, changes, this.#now);
    if (isAllowed === undefined) {
      this.undecided =
        'Whether an administrator would remain could not be decided in time. Make the rules of the model for ' +
        'permissions and roles simpler, or try again when the service is less busy.';
    }
    return isAllowed === true;
  }
}

/**
 * Whether somebody surely administers an organization now: false if that could not be decided. To be called inside
 * `Engine.read`.
 */
export function hasAdministrator(
  dependencies: AdministratorDependencies,
  organization: Organization,
  now: number,
): boolean {
  const search = new AdministratorSearch(dependencies, organization, now);
  return search.find({ changes: [], reach: dependencies.rights.reach(organization.store) }) !== undefined;
}
