import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../cli-error.ts';
import { readText } from '../store-file/store-file.ts';
import type { Terminal } from '../terminal.ts';

const VARIABLE = 'RELATA_BACKUP_PASSPHRASE';
const LENGTH = { min: 12, max: 1024 };

/**
 * The passphrase of a sealed key: from a file, the environment, or whoever sits at the terminal, and never from the
 * arguments, which every user of the machine can read.
 * @param isNew asks twice, and holds it to a length
 */
export async function passphrase(
  terminal: Terminal,
  file: string | undefined,
  { isNew }: { readonly isNew: boolean },
): Promise<string> {
  const given = file === undefined ? terminal.environment[VARIABLE] : withoutEnd(await readText(file));
  // an empty variable counts as unset, as everywhere
  const text = given || (await asked(terminal, isNew));
  if (text.length > LENGTH.max || (isNew && text.length < LENGTH.min)) {
    throw new CliError(`the passphrase must have ${LENGTH.min} to ${LENGTH.max} characters`);
  }
  return text;
}

function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

async function asked(terminal: Terminal, isNew: boolean): Promise<string> {
  if (!(terminal.input as { readonly isTTY?: boolean }).isTTY) {
    throw new CliError(`the key needs a passphrase: set ${VARIABLE}, use --passphrase-file, or run this in a terminal`);
  }
  const first = await hidden(terminal, 'Passphrase: ');
  if (isNew && (await hidden(terminal, 'Repeat it: ')) !== first) throw new CliError('the passphrases do not match');
  return first;
}

/** Reads a line that is not shown. */
async function hidden(terminal: Terminal, prompt: string): Promise<string> {
  terminal.err.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: terminal.input, output: nowhere, terminal: true });
  const given = new AbortController();
  lines.once('SIGINT', () => given.abort());
  try {
    return await lines.question('', { signal: given.signal });
  } catch {
    throw new CliError('no passphrase was given');
  } finally {
    lines.close();
    terminal.err.write('\n');
  }
}
