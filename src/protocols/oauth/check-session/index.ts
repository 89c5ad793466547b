export { checkSessionEndpoint } from './check-session-endpoint.ts';
export { sessionState } from './session-state.ts';
