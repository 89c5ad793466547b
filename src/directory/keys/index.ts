export { KeyUse } from './key-use.ts';
export { keysModule } from './module.ts';
