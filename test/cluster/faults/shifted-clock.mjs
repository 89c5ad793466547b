// Loaded into a node before it starts: moves the time of day of each of its threads by as many milliseconds as stand in
// the file that TEST_CLOCK_FILE names. The file is looked at twenty times a second, when the time is asked for.
import { readFileSync } from 'node:fs';

const file = process.env.TEST_CLOCK_FILE;
const LOOK_MS = 50;
const RealDate = Date;
const realNow = Date.now;
let shift = 0;
let looked = Number.NEGATIVE_INFINITY;

function now() {
  const at = performance.now();
  if (at - looked >= LOOK_MS) {
    looked = at;
    try {
      shift = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      shift = 0;
    }
  }
  return realNow() + shift;
}

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
};
