import type { Precondition, Store } from '#engine';
import { readSettings } from '../../../directory/settings/index.ts';
import type { Caller, CredentialReference, Organization, Validity } from '../../../kernel/organizations/index.ts';
import { isSystemPermission, type SystemPermission } from '../../../kernel/rights/index.ts';

/** The permissions of every credential of SCIM: users and groups, but no roles, keys or settings. */
export const provisioningPermissions: readonly SystemPermission[] = [
  'users.read',
  'users.create',
  'users.update',
  'users.delete',
  'users.block',
  'users.verify',
  'users.reset_password',
  'groups.read',
  'groups.create',
  'groups.update',
  'groups.delete',
  'groups.members',
];

const provisioning: ReadonlySet<string> = new Set(provisioningPermissions);

/** The identity of a caller that acts for no user. */
interface Provisioner {
  readonly subject: string;
  readonly name?: string | undefined;
  /** Absent if no record of it exists, as in a dry run. */
  readonly credential?: CredentialReference | undefined;
}

/**
 * A SCIM token, or a client with the scope `scim`. Its permissions are a constant list and stand in no tuple. It may fill
 * groups that give permissions of the organization's own. Unless the settings allow administrators, it neither gives
 * system permissions nor changes users who hold one.
 */
export class ProvisioningCaller implements Caller {
  readonly organization: Organization;
  readonly subject: string;
  readonly name: string | undefined;
  readonly credential: CredentialReference | undefined;
  readonly seesRights = false;
  readonly #validity: Validity;

  constructor(organization: Organization, { subject, name, credential }: Provisioner, validity: Validity) {
    this.organization = organization;
    this.subject = subject;
    this.name = name;
    this.credential = credential;
    this.#validity = validity;
  }

  isStillValid(): boolean {
    return this.#validity.isStillValid();
  }

  credentialPreconditions(): readonly Precondition[] {
    return this.#validity.credentialPreconditions?.() ?? [];
  }

  may(permission: SystemPermission): boolean {
    return provisioning.has(permission) && isProvisioned(this.organization.store);
  }

  readonly holds = (permission: string): boolean =>
    !isSystemPermission(permission) || mayProvisionAdministrators(this.organization.store);
}

/** Whether SCIM is on. To be called inside `Engine.read`. */
export function isProvisioned(store: Store): boolean {
  return readSettings(store).scim.enabled;
}

/** Whether SCIM may create, change and remove administrators. To be called inside `Engine.read`. */
export function mayProvisionAdministrators(store: Store): boolean {
  return readSettings(store).scim.allowAdministrators;
}
