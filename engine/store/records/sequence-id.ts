/** Enough for every safe integer. */
const DIGITS = 16;

/** The id of the record that was the `sequence`-th to be appended to its collection: the order of ids is that of numbers. */
export function sequenceId(sequence: number): string {
  return String(sequence).padStart(DIGITS, '0');
}
