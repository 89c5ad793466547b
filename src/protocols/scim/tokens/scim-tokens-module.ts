import { scimTokenUseRecords } from '../../../directory/records/index.ts';
import { ofResource } from '../../../kernel/modules/index.ts';
import { rotateEndpoint } from './rotate-endpoint.ts';
import { scimToken } from './scim-token.ts';

/** `/admin/settings/scim/tokens`. */
export const scimTokensModule = {
  name: 'scim_tokens',
  records: [scimToken.records, scimTokenUseRecords],
  ...ofResource(scimToken, (services, base, family) => [rotateEndpoint(services, base, family)]),
};
