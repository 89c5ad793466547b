export { isScimPath, organizationAt } from './endpoints/bases.ts';
export { renderScim } from './errors/render-scim.ts';
export { scimModule } from './module.ts';
export { ScimRequestLog } from './requests/request-log.ts';
export { scimRequestsModule } from './requests/requests-module.ts';
export { isProvisioned, mayProvisionAdministrators, ProvisioningCaller } from './tokens/provisioning-caller.ts';
export { provisioningPermissions } from './tokens/provisioning-permissions.ts';
export { scimTokensModule } from './tokens/scim-tokens-module.ts';
