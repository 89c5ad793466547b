import { taskRecords } from '../records/index.ts';

/** What agents ask for beyond what they have, and what they are lent. */
export const elevationsModule = { name: 'elevations', records: [taskRecords] };
