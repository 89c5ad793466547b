export { createDemo, demoLines } from './demo.ts';
