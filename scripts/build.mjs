/** `npm run build`: compiles engine/ and src/ into dist/, whether or not anything changed. */
import { build, install, requireNode } from './prepare.mjs';

requireNode();
process.exitCode = install() && build() ? 0 : 1;
