import type { Engine } from '#engine';
import type { Module } from '../../kernel/modules/index.ts';
import { useEndpoints } from './use-endpoints.ts';
import { useRecords } from './use-record.ts';

/** What elevated tokens were used for. */
export const trailModule: Module<{ readonly engine: Engine }> = {
  name: 'trail',
  records: [useRecords],
  endpoints: useEndpoints,
};
