import { CopiedProgram } from '../server/copied-program.ts';

/** What makes the built program one of the version before streams: it tells format 2 of messages, and stops at format 3. */
export function earlierProgram(): CopiedProgram {
  return new CopiedProgram({
    changes: [
      [/log: 3,/, 'log: 2,'],
      [/Math\.min\(3, \.\.\.nodes/, 'Math.min(2, ...nodes'],
      [/format !== COMMANDS && format !== PART && format !== USE/, 'format !== COMMANDS && format !== PART'],
    ],
  });
}
