export { isScimPath } from './endpoints/bases.ts';
export { renderScim } from './errors/render-scim.ts';
export { scimModule } from './module.ts';
export { provisioningPermissions } from './tokens/provisioning-permissions.ts';
export { scimTokensModule } from './tokens/scim-tokens-module.ts';
