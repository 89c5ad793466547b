export { memberEndpoint } from './member-endpoint.ts';
export { membersModule } from './module.ts';
