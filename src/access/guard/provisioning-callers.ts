import type { Precondition } from '#engine';
import { scimScope } from '../../directory/permissions/index.ts';
import { scimTokenRecords } from '../../directory/records/index.ts';
import type { Caller, CredentialReference, Organization, Validity } from '../../kernel/organizations/index.ts';
import { holdsPermission, isSystemPermission, type SystemPermission } from '../../kernel/rights/index.ts';
import { clientRecords, goodUntil, tokenAsRead } from '../../protocols/oauth/index.ts';
import {
  isProvisioned,
  mayProvisionAdministrators,
  ProvisioningCaller,
  provisioningPermissions,
} from '../../protocols/scim/index.ts';
import { type Identity, type Judgement, SubjectCaller } from './callers.ts';

/** A user with an access token of the scope `scim`: limited to the user's own rights and to `provisioningPermissions`. */
export class ProvisioningUser extends SubjectCaller {
  readonly credential: CredentialReference;
  readonly #judgement: Judgement;

  constructor(
    organization: Organization,
    identity: Identity,
    credential: CredentialReference,
    judgement: Judgement,
    validity: Validity,
  ) {
    super(organization, { ...identity, scopes: provisioningPermissions }, judgement, validity);
    this.credential = credential;
    this.#judgement = judgement;
  }

  override may(permission: SystemPermission): boolean {
    return isProvisioned(this.organization.store) && super.may(permission);
  }

  override readonly holds = (permission: string): boolean => {
    if (isSystemPermission(permission) && !mayProvisionAdministrators(this.organization.store)) return false;
    const { organization, subject, actor } = this;
    const { rights, clock } = this.#judgement;
    return holdsPermission({ organization, rights, subject, actor, now: clock.now() }, permission);
  };
}

/** The caller with an access token of the scope `scim`, or with a SCIM token; `undefined` if an actor acts for a client, which is not allowed. */
export function provisionerOf(
  organization: Organization,
  identity: Identity,
  credential: CredentialReference,
  judgement: Judgement,
): Caller | undefined {
  const { subject, actor } = identity;
  const { engine, clock } = judgement;
  const validity: Validity = {
    isStillValid: () => engine.read(() => isGood(organization, credential, clock.now())),
    credentialPreconditions: () => credentialAsRead(organization, credential),
  };
  if (subject.startsWith('user:')) {
    return new ProvisioningUser(organization, identity, credential, judgement, validity);
  }
  return actor === undefined ? new ProvisioningCaller(organization, { subject, credential }, validity) : undefined;
}

function credentialAsRead({ store }: Organization, credential: CredentialReference): readonly Precondition[] {
  if (credential.kind === 'scim_token') return [scimTokenRecords.same(store, credential)];
  const client = clientRecords.get(store, credential.clientId);
  return [...tokenAsRead(store, credential), clientRecords.asRead(store, credential.clientId, client)];
}

/** Whether a credential is valid now. To be called inside `Engine.read`. */
function isGood({ store }: Organization, credential: CredentialReference, now: number): boolean {
  if (credential.kind === 'access_token') {
    return goodUntil(store, credential, now) !== undefined && mayProvision(store, credential.clientId);
  }
  const entry = scimTokenRecords.get(store, credential.id);
  return entry?.version === credential.version && now < entry.document.expiresAt;
}

/**
 * Whether a client has the scope now. No tuple says what such a token may do: without this check an older one would go
 * on for hours. To be called inside `Engine.read`.
 */
export function mayProvision(store: Organization['store'], clientId: string): boolean {
  return clientRecords.get(store, clientId)?.document.scopes.includes(scimScope) === true;
}
