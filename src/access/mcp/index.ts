export { mcpModule } from './module.ts';
