export { type Discovered, discover } from './discovery/discover.ts';
export { providersModule } from './module.ts';
export {
  callbackUrl,
  findProvider,
  goneProviderRecords,
  type OpenSecrets,
  openSecrets,
  type ProviderEntry,
  type ProviderRecord,
  providerRecords,
  usableProvider,
  usableProviders,
} from './provider-record.ts';
export type { TypeName } from './provider-types.ts';
