import type { Engine } from '#engine';
import type { Caller, Organization } from '../../kernel/organizations/index.ts';
import { type Right, type RightCheck, type SystemPermission, scopeCovers } from '../../kernel/rights/index.ts';
import type { Clock } from '../../platform/index.ts';

/** What is needed to decide the rights of a caller. */
export interface Judgement {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly rights: RightCheck;
}

/** The subject of a credential. */
export type Identity = Pick<Caller, 'scopes' | 'actor' | 'agency' | 'resources' | 'isFirstParty'> & {
  readonly subject: string;
  /** False if the token does not let its client see what its subject may do; true if omitted. */
  readonly seesRights?: boolean;
};

/**
 * A caller that is a subject of the engine: the holder of an API key, or of an access token with its scopes. If an actor
 * acts for the subject, both must have the permission.
 */
export class SubjectCaller implements Caller {
  readonly organization: Organization;
  readonly subject: string;
  readonly actor: string | undefined;
  readonly agency: Caller['agency'];
  readonly resources: Caller['resources'];
  readonly scopes: readonly string[] | undefined;
  readonly seesRights: boolean;
  readonly isFirstParty: boolean;
  readonly #judgement: Judgement;
  /** Permissions that only a commit can end, with the revision at which they were found. */
  readonly #held = new Map<SystemPermission, number>();

  readonly #isStillValid: () => boolean;

  constructor(
    organization: Organization,
    { subject, actor, agency, resources, scopes, seesRights = true, isFirstParty = false }: Identity,
    judgement: Judgement,
    isStillValid: () => boolean,
  ) {
    this.organization = organization;
    this.subject = subject;
    this.actor = actor;
    this.agency = agency;
    this.resources = resources;
    this.scopes = scopes;
    this.seesRights = seesRights;
    this.isFirstParty = isFirstParty;
    this.#judgement = judgement;
    this.#isStillValid = isStillValid;
  }

  isStillValid(): boolean {
    return this.#isStillValid();
  }

  may(permission: SystemPermission): boolean {
    if (!scopeCovers(this.scopes, permission)) return false;
    const { engine } = this.#judgement;
    return engine.read(() => {
      const revision = engine.revision();
      if (this.#held.get(permission) === revision) return true;
      const right = this.#rightTo(permission);
      if (right === 'until_a_commit') this.#held.set(permission, revision);
      return right !== 'no';
    });
  }

  #rightTo(permission: SystemPermission): Right {
    const { rights, clock } = this.#judgement;
    const own = rights.holds(this.organization, this.subject, permission, clock.now());
    if (this.actor === undefined || own === 'no') return own;
    const acting = rights.holds(this.organization, this.actor, permission, clock.now());
    return acting === 'until_a_commit' ? own : acting;
  }
}

/** The super administrator in one organization. */
export class SuperAdministrator implements Caller {
  readonly organization: Organization;
  readonly subject = undefined;
  readonly seesRights = true;

  constructor(organization: Organization) {
    this.organization = organization;
  }

  may(): boolean {
    return true;
  }

  isStillValid(): boolean {
    return true;
  }
}
