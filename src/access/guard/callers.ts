import type { Engine, Precondition } from '#engine';
import { type Caller, lentSubject, type Organization, type Validity } from '../../kernel/organizations/index.ts';
import {
  holdsPermission,
  type Right,
  type RightCheck,
  type SystemPermission,
  scopeCovers,
} from '../../kernel/rights/index.ts';
import type { Clock } from '../../platform/index.ts';

/** What is needed to decide the rights of a caller. */
export interface Judgement {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly rights: RightCheck;
}

/** The subject of a credential. */
export type Identity = Pick<Caller, 'scopes' | 'expiresAt' | 'actor' | 'agency' | 'resources' | 'isFirstParty'> & {
  readonly subject: string;
  /** False if the token does not let its client see what its subject may do; true if omitted. */
  readonly seesRights?: boolean;
};

const NONE_HELD: readonly SystemPermission[] = [];
/** Shared lists of one permission each, which nearly all callers hold: own ones would fit no processor's cache. */
const heldAlone = new Map<SystemPermission, readonly SystemPermission[]>();

function alone(permission: SystemPermission): readonly SystemPermission[] {
  const known = heldAlone.get(permission);
  if (known !== undefined) return known;
  const list = [permission];
  heldAlone.set(permission, list);
  return list;
}

/**
 * A caller that is a subject of the engine: the holder of an API key, or of an access token with its scopes. If an actor
 * acts for the subject, both must have the permission. With what was lent to it, an actor may besides do what is its own.
 */
export class SubjectCaller implements Caller {
  // what each request looks at stands together: see `touch`
  /** Permissions that only a commit can end, as they were found at a revision. */
  #held: readonly SystemPermission[] = NONE_HELD;
  #heldAt = -1;
  readonly #judgement: Judgement;
  readonly organization: Organization;
  readonly scopes: readonly string[] | undefined;
  readonly subject: string;
  readonly actor: string | undefined;
  readonly agency: Caller['agency'];
  readonly resources: Caller['resources'];
  readonly expiresAt: number | undefined;
  readonly seesRights: boolean;
  readonly isFirstParty: boolean;
  readonly holds: Caller['holds'];
  readonly #validity: Validity;

  constructor(
    organization: Organization,
    { subject, actor, agency, resources, scopes, expiresAt, seesRights = true, isFirstParty = false }: Identity,
    judgement: Judgement,
    validity: Validity,
  ) {
    this.#judgement = judgement;
    this.organization = organization;
    this.scopes = scopes;
    this.subject = subject;
    this.actor = actor;
    this.agency = agency;
    this.resources = resources;
    this.expiresAt = expiresAt;
    this.seesRights = seesRights;
    this.isFirstParty = isFirstParty;
    this.holds = agency === undefined ? undefined : (permission) => this.#gives(permission);
    this.#validity = validity;
  }

  isStillValid(): boolean {
    return this.#validity.isStillValid();
  }

  credentialPreconditions(): readonly Precondition[] {
    return this.#validity.credentialPreconditions?.() ?? [];
  }

  touch(): number {
    return this.#heldAt ^ this.#held.length ^ (this.scopes?.length ?? 0) ^ (this.actor === undefined ? 0 : 1);
  }

  may(permission: SystemPermission): boolean {
    if (!scopeCovers(this.scopes, permission)) return false;
    const { engine } = this.#judgement;
    // nearly every request finds it here at this revision, and needs no read
    if (this.#heldAt === engine.revision() && this.#held.includes(permission)) return true;
    return engine.read(() => {
      if (this.#stillHolds(permission)) return true;
      const right = this.#rightTo(permission);
      if (right === 'until_a_commit') this.#hold(permission, engine.revision());
      return right !== 'no';
    });
  }

  /** Whether no commit since then has changed a tuple, a suspension or a model of the organization. */
  #stillHolds(permission: SystemPermission): boolean {
    if (!this.#held.includes(permission)) return false;
    const { store } = this.organization;
    // the records of most organizations change as seldom as their tuples, and this is cheaper
    if (store.writtenAt() > this.#heldAt && store.basis().changedAt > this.#heldAt) return false;
    this.#heldAt = this.#judgement.engine.revision();
    return true;
  }

  #hold(permission: SystemPermission, revision: number): void {
    if (this.#heldAt !== revision || this.#held.length === 0) this.#held = alone(permission);
    else if (!this.#held.includes(permission)) this.#held = [...this.#held, permission];
    this.#heldAt = revision;
  }

  #rightTo(permission: SystemPermission): Right {
    const { subject, actor, agency, resources } = this;
    if (actor === undefined) return this.#rightOf(subject, permission);
    const lent = agency && lentSubject(agency);
    if (lent !== undefined) {
      const own = this.#rightOf(actor, permission);
      if (own !== 'no' || resources !== undefined) return own;
      return this.#rightOfAll([lent, subject], permission);
    }
    // a delegation for certain objects does not cover what has no object
    return resources === undefined ? this.#rightOfAll([subject, actor], permission) : 'no';
  }

  /** All of them must have it. */
  #rightOfAll(subjects: readonly string[], permission: SystemPermission): Right {
    let right: Right = 'until_a_commit';
    for (const subject of subjects) {
      const each = this.#rightOf(subject, permission);
      if (each === 'no') return 'no';
      if (each === 'now') right = 'now';
    }
    return right;
  }

  #rightOf(subject: string, permission: SystemPermission): Right {
    const { rights, clock } = this.#judgement;
    return rights.holds(this.organization, subject, permission, clock.now());
  }

  /**
   * Whether a caller with an agency may give a permission away: never what is delegated for certain objects, and of
   * what was lent for a time only what the agent has itself.
   */
  #gives(permission: string): boolean {
    const { organization, subject, actor, agency, resources, scopes } = this;
    const { rights, clock } = this.#judgement;
    const question = { organization, rights, scopes, now: clock.now() };
    if (agency?.kind === 'elevation') return holdsPermission({ ...question, subject: actor ?? subject }, permission);
    return resources === undefined && holdsPermission({ ...question, subject, actor }, permission);
  }
}

/** The super administrator in one organization. */
export function superAdministrator(organization: Organization): Caller {
  return { organization, subject: undefined, seesRights: true, may: always, isStillValid: always };
}

function always(): boolean {
  return true;
}
