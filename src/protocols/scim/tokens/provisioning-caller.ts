import type { Store } from '#engine';
import { readSettings } from '../../../directory/settings/index.ts';
import type { Caller, CredentialReference, Organization } from '../../../kernel/organizations/index.ts';
import { isSystemPermission, type SystemPermission } from '../../../kernel/rights/index.ts';
import { provisioningPermissions } from './provisioning-permissions.ts';

const provisioning: ReadonlySet<string> = new Set(provisioningPermissions);

/** A credential that provisions by itself. */
interface Provisioner {
  readonly subject: string;
  readonly name?: string | undefined;
  /** Absent where it is none that another thread could know. */
  readonly credential?: CredentialReference | undefined;
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
  readonly credential: CredentialReference | undefined;
  readonly seesRights = false;
  readonly #isStillValid: () => boolean;

  constructor(organization: Organization, { subject, name, credential }: Provisioner, isStillValid: () => boolean) {
    this.organization = organization;
    this.subject = subject;
    this.name = name;
    this.credential = credential;
    this.#isStillValid = isStillValid;
  }

  may(permission: SystemPermission): boolean {
    return provisioning.has(permission) && isProvisioned(this.organization.store);
  }

  readonly holds = (permission: string): boolean =>
    !isSystemPermission(permission) || mayProvisionAdministrators(this.organization.store);

  isStillValid(): boolean {
    return this.#isStillValid();
  }
}

/** Whether SCIM is on. To be called inside `Engine.read`. */
export function isProvisioned(store: Store): boolean {
  return readSettings(store).scim.enabled;
}

/** Whether provisioning makes, changes and removes who administers. To be called inside `Engine.read`. */
export function mayProvisionAdministrators(store: Store): boolean {
  return readSettings(store).scim.allowAdministrators;
}
