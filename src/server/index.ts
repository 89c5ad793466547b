export { nodeSettings, streamSettings, writerSettings } from './cluster/writer-dependencies.ts';
export {
  createDemo,
  demoLines,
  demoSlug,
  keepAddress,
  keepCredentials,
  keptCredentials,
  rotateCredentials,
} from './demo/index.ts';
export { serve } from './serve.ts';
