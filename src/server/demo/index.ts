export { keepAddress, keepCredentials, keptCredentials } from './credentials.ts';
export { createDemo, demoLines, demoModelText, demoSlug } from './demo.ts';
export { rotateCredentials } from './rotate.ts';
