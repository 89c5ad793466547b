import type { Change } from '#engine';
import type { Organization } from '../organizations/index.ts';
import { type Administration, otherAdministrator, type Reach } from '../rights/index.ts';
import type { AdminDependencies } from './dependencies.ts';

/** Most administrators of whom the organization's model is asked: each takes two checks. */
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
