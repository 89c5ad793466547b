import type { Engine } from '../../engine/index.ts';

/** The changes of every command that is submitted while something runs, as text, in order: refused ones too. */
export async function submittedDuring(engine: Engine, task: () => Promise<unknown>): Promise<readonly string[]> {
  const { submit } = engine;
  const submitted: string[] = [];
  engine.submit = (command) => {
    submitted.push(JSON.stringify(command.changes));
    return submit.call(engine, command);
  };
  try {
    await task();
  } finally {
    engine.submit = submit;
  }
  return submitted;
}
