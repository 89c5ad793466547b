export { keyUseRecords } from './key-use.ts';
export { keysModule } from './module.ts';
