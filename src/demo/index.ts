export { createDemo, type Demo, demoLines, demoSlug } from './demo.ts';
