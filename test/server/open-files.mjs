// Loaded into the service before it starts: takes every file that may still be opened on SIGUSR2, and gives them back
// on the next one.
import { closeSync, openSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const held = [];
// the connections may have taken every file before: then this holds none of its own
let isHolding = false;

function hold() {
  isHolding = true;
  try {
    for (;;) held.push(openSync('/dev/null'));
  } catch (error) {
    process.stdout.write(`holds all files: ${error.code}\n`);
  }
}

function release() {
  isHolding = false;
  for (const file of held.splice(0)) closeSync(file);
  process.stdout.write('holds no file\n');
}

if (isMainThread) process.on('SIGUSR2', () => (isHolding ? release() : hold()));
