export { delegationsModule } from './module.ts';
