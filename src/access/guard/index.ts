export { type IdentifyDependencies, identifyAgain } from './identify.ts';
export { loggedGuard } from './logged-guard.ts';
export { isForScim } from './scopes.ts';
export { type GuardDependencies, type ServiceCaller, ServiceGuard } from './service-guard.ts';
