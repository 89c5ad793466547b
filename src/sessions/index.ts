export { endAllOf, endSessionsOf } from './records/epochs.ts';
