import { CliError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

/** An organization of a service that runs, and a key of it. */
export interface Connection {
  /** Without a trailing slash. */
  readonly url: string;
  readonly org: string;
  readonly key: string;
}

/** @throws CliError where something is missing */
export function connectionOf(
  terminal: Terminal,
  { url, org, key }: { readonly url: string; readonly org: string; readonly key?: string },
): Connection {
  // what a process was started with is for all users of the machine to read, until it names itself otherwise
  if (key !== undefined) process.title = 'relata';
  const used = key ?? terminal.environment.RELATA_KEY;
  if (used === undefined || used === '') throw new CliError('an API key is missing: set RELATA_KEY, or add --key KEY');
  if (!/^[\x21-\x7e]+$/.test(used))
    throw new CliError('the key (--key, RELATA_KEY) contains characters that a key cannot contain');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new CliError('--url: must be an http URL');
  return { url: url.replace(/\/+$/, ''), org, key: used };
}
