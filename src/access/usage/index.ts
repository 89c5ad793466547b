export { ApiCalls, countedGuard } from './api-calls.ts';
export { usageModule } from './module.ts';
