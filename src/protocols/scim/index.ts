export { isScimPath, organizationAt } from './endpoints/bases.ts';
export { renderScim } from './errors/scim-errors.ts';
export { scimModule } from './module.ts';
export { ScimRequestLog } from './requests/request-log.ts';
export { scimRequestsModule } from './requests/requests-module.ts';
export {
  isProvisioned,
  mayProvisionAdministrators,
  ProvisioningCaller,
  provisioningPermissions,
} from './tokens/provisioning-caller.ts';
export { scimTokensModule } from './tokens/scim-tokens-module.ts';
