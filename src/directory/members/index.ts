export { memberEndpoint } from './member-endpoint.ts';
export { memberWork } from './member-list.ts';
