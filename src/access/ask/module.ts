import { rated } from '../../http/index.ts';
import type { Module } from '../../kernel/modules/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import { askEndpoint } from './ask-endpoint.ts';
import type { AskDependencies } from './dependencies.ts';
import { settingsEndpoints } from './endpoint/settings-endpoints.ts';
import { askSettingsRecords } from './endpoint/settings-record.ts';
import { mappingQueries } from './mapping/mapping-query.ts';

/** Questions in plain words: `/agents/ask`, `/admin/ask/settings`. */
export const askModule: Module<AskDependencies> = {
  name: 'ask',
  records: [askSettingsRecords],
  endpoints: (services) => [
    ...rated(
      'decisions',
      inBothFamilies((base) => [askEndpoint(services, base)]),
    ),
    ...inBothFamilies((base, family) => settingsEndpoints(services, base, family)),
  ],
  queries: mappingQueries,
};
