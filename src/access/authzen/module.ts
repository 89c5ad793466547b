import type { ElevationDependencies } from '../../directory/elevations/index.ts';
import { rated } from '../../http/index.ts';
import type { Module } from '../../kernel/modules/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import type { AuthZenDependencies } from './dependencies.ts';
import { evaluationEndpoints } from './evaluation/evaluation-endpoints.ts';
import { metadataEndpoints } from './metadata-endpoints.ts';
import { requestEndpoints } from './requests/request-endpoints.ts';
import { requestRecords } from './requests/request-record.ts';

type AuthZenServices = Omit<AuthZenDependencies, keyof ElevationDependencies | 'keys'> &
  AdminDependencies & {
    readonly elevations: ElevationDependencies;
    readonly oauth: Pick<AuthZenDependencies, 'keys'>;
  };

/** AuthZEN: the evaluation API 1.0, and requests for what it denies. */
export const authZenModule: Module<AuthZenServices> = {
  name: 'authzen',
  records: [requestRecords],
  endpoints(services) {
    const dependencies = { ...services, ...services.elevations, keys: services.oauth.keys };
    return [
      ...metadataEndpoints(dependencies),
      ...rated('decisions', evaluationEndpoints(dependencies)),
      ...requestEndpoints(dependencies),
    ];
  },
};
