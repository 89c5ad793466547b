export { ApiCalls } from './api-calls.ts';
export { countedGuard } from './counted-guard.ts';
export { usageModule } from './module.ts';
