import { delegationRecords } from '../records/index.ts';

/** What people let agents do in their names. */
export const delegationsModule = { name: 'delegations', records: [delegationRecords] };
