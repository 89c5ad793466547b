import { scimTokenRecords, scimTokenSubject } from '../../directory/records/index.ts';
import { readSettings } from '../../directory/settings/index.ts';
import type { Caller, CredentialReference, Organization } from '../../kernel/organizations/index.ts';
import { holdsPermission, isSystemPermission, type SystemPermission } from '../../kernel/rights/index.ts';
import { goodUntil } from '../../protocols/oauth/index.ts';
import { provisioningPermissions } from '../../protocols/scim/index.ts';
import { type Identity, type Judgement, SubjectCaller } from './callers.ts';

const provisioning: ReadonlySet<string> = new Set(provisioningPermissions);

/** How a credential for provisioning is made a caller: it is good as long as `isStillValid` says so. */
interface Credentials {
  readonly subject: string;
  readonly name?: string | undefined;
  readonly credential: CredentialReference;
}

/**
 * A SCIM token, or a client that provisions in its own name. What it may is the same for all, and in no tuple. It puts
 * people into groups whatever those give in the organization's own words; of Relata's permissions it gives none, and
 * changes nobody who has one, unless the settings say otherwise.
 */
export class ProvisioningCaller implements Caller {
  readonly organization: Organization;
  readonly subject: string;
  readonly name: string | undefined;
  readonly credential: CredentialReference;
  readonly seesRights = false;
  readonly #isStillValid: () => boolean;

  constructor(organization: Organization, { subject, name, credential }: Credentials, isStillValid: () => boolean) {
    this.organization = organization;
    this.subject = subject;
    this.name = name;
    this.credential = credential;
    this.#isStillValid = isStillValid;
  }

  static ofToken(
    organization: Organization,
    { id, version, name }: { readonly id: string; readonly version: number; readonly name: string },
    isStillValid: () => boolean,
  ): ProvisioningCaller {
    const credential = { kind: 'scim_token', id, version } as const;
    return new ProvisioningCaller(organization, { subject: scimTokenSubject(id), name, credential }, isStillValid);
  }

  may(permission: SystemPermission): boolean {
    return provisioning.has(permission) && isProvisioned(this.organization);
  }

  readonly holds = (permission: string): boolean => !isSystemPermission(permission) || mayRaise(this.organization);

  isStillValid(): boolean {
    return this.#isStillValid();
  }
}

/** A user who provisions with a token of the scope: what the user may, and no more than any such credential. */
export class ProvisioningUser extends SubjectCaller {
  readonly credential: CredentialReference;
  readonly #judgement: Judgement;

  constructor(
    organization: Organization,
    identity: Identity,
    credential: CredentialReference,
    judgement: Judgement,
    isStillValid: () => boolean,
  ) {
    super(organization, { ...identity, scopes: provisioningPermissions }, judgement, isStillValid);
    this.credential = credential;
    this.#judgement = judgement;
  }

  override may(permission: SystemPermission): boolean {
    return isProvisioned(this.organization) && super.may(permission);
  }

  readonly holds = (permission: string): boolean => {
    if (isSystemPermission(permission) && !mayRaise(this.organization)) return false;
    const { organization, subject, actor } = this;
    const { rights, clock } = this.#judgement;
    return holdsPermission({ organization, rights, subject, actor, now: clock.now() }, permission);
  };
}

/** Who provisions with an access token; `undefined` where nobody can, because somebody acts in a client's name. */
export function provisionerOf(
  organization: Organization,
  identity: Identity,
  credential: CredentialReference,
  judgement: Judgement,
  isStillValid: () => boolean,
): Caller | undefined {
  const { subject, actor } = identity;
  if (subject.startsWith('user:'))
    return new ProvisioningUser(organization, identity, credential, judgement, isStillValid);
  return actor === undefined ? new ProvisioningCaller(organization, { subject, credential }, isStillValid) : undefined;
}

/** Whether a credential would be accepted now. To be called inside `Engine.read`. */
export function isGood({ store }: Organization, credential: CredentialReference, now: number): boolean {
  if (credential.kind === 'access_token') return goodUntil(store, credential, now) !== undefined;
  const entry = scimTokenRecords.get(store, credential.id);
  return entry?.version === credential.version && now < entry.document.expiresAt;
}

/** Whether SCIM is on. To be called inside `Engine.read`. */
export function isProvisioned({ store }: Organization): boolean {
  return readSettings(store).scim.enabled;
}

function mayRaise({ store }: Organization): boolean {
  return readSettings(store).scim.allowAdministrators;
}
