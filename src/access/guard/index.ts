export { type IdentifyDependencies, identifyAgain } from './identify.ts';
export { type GuardDependencies, type ServiceCaller, ServiceGuard } from './service-guard.ts';
