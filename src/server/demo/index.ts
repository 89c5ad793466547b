export { keepAddress, keepCredentials, keptCredentials } from './credentials.ts';
export { createDemo, demoLines, demoSlug } from './demo.ts';
export { rotateCredentials } from './rotate.ts';
