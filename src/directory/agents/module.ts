import { agentRecords } from '../records/index.ts';

/** Programs that act by themselves or for people. */
export const agentsModule = { name: 'agents', records: [agentRecords] };
