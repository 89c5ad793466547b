/** What `prepareUntilSignal` runs. */
import { buildIfStale, install } from './prepare.mjs';

process.exitCode = install() && buildIfStale() ? 0 : 1;
