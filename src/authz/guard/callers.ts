import type { Engine } from '#engine';
import type { Caller, Organization } from '../../orgs/index.ts';
import type { Clock } from '../../platform/index.ts';
import { type RightCheck, type SystemPermission, scopeCovers } from '../../rights/index.ts';

/** What callers need to be judged. */
export interface Judgement {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly rights: RightCheck;
}

/** A subject of the engine that makes requests: behind a key, or behind an access token with its scopes. */
export class SubjectCaller implements Caller {
  readonly organization: Organization;
  readonly subject: string;
  readonly scopes: readonly string[] | undefined;
  readonly #judgement: Judgement;
  /** Rights by the revision at which they were found, where only a commit can take them away. */
  readonly #held = new Map<SystemPermission, number>();

  readonly #isStillValid: () => boolean;

  constructor(
    organization: Organization,
    subject: string,
    judgement: Judgement,
    isStillValid: () => boolean,
    scopes?: readonly string[],
  ) {
    this.organization = organization;
    this.subject = subject;
    this.scopes = scopes;
    this.#judgement = judgement;
    this.#isStillValid = isStillValid;
  }

  isStillValid(): boolean {
    return this.#isStillValid();
  }

  may(permission: SystemPermission): boolean {
    if (!scopeCovers(this.scopes, permission)) return false;
    const { engine, rights, clock } = this.#judgement;
    return engine.read(() => {
      const revision = engine.revision();
      if (this.#held.get(permission) === revision) return true;
      const right = rights.holds(this.organization, this.subject, permission, clock.now());
      if (right === 'until_a_commit') this.#held.set(permission, revision);
      return right !== 'no';
    });
  }
}

/** The super administrator in one organization. */
export class SuperAdministrator implements Caller {
  readonly organization: Organization;
  readonly subject = undefined;

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
