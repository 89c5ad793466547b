export { authZenModule } from './module.ts';
