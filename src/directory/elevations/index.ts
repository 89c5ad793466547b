export { elevationsModule } from './module.ts';
