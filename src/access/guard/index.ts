export { type IdentifyParts, identifyAgain } from './identify.ts';
export { type GuardParts, type ServiceCaller, ServiceGuard } from './service-guard.ts';
