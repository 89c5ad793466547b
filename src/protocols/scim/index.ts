export { provisioningPermissions } from './tokens/provisioning-permissions.ts';
export { scimTokensModule } from './tokens/scim-tokens-module.ts';
