import { spawnSync } from 'node:child_process';

/** A prefix of a command that runs it as in a container of its own; `name` says what differs. */
export interface Namespace {
  readonly name: string;
  readonly prefix: readonly [string, ...string[]];
  /** Why it cannot be made here. */
  readonly missing: string | undefined;
}

export const namespaces: readonly Namespace[] = [
  namespace('under another host name', ['unshare', '--uts', 'sh', '-c', 'hostname elsewhere && exec "$@"', 'sh']),
  namespace('among other process ids', ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']),
];

function namespace(name: string, prefix: readonly [string, ...string[]]): Namespace {
  const [command, ...parameters] = prefix;
  const { status } = spawnSync(command, [...parameters, 'true']);
  return { name, prefix, missing: status === 0 ? undefined : 'needs root' };
}

/** The title of a test that is skipped says why. */
export function titleOf({ name, missing }: Pick<Namespace, 'name' | 'missing'>): string {
  return missing === undefined ? name : `${name} (skipped: ${missing})`;
}
