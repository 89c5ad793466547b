/**
 * Looks at what a crash left, in a process of its own: a file that a power cut left shorter than the database in it
 * says ends the process that maps it, which is a finding like others.
 *
 *     inspect.ts FOLDER ACKNOWLEDGEMENTS
 *
 * The second is a file with one id on each line. Prints a `Recovery` as JSON.
 */
import { readFileSync } from 'node:fs';
import { inspectRecovery } from './recovery.ts';

const [path = '', acknowledgements = ''] = process.argv.slice(2);
const ids = readFileSync(acknowledgements, 'utf8').split('\n').filter(Boolean);
console.log(JSON.stringify(await inspectRecovery(path, ids)));
