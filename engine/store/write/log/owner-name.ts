import type { PackedCommand } from '../../../command/command.ts';

/** The name of the only store that a command can touch; undefined if it touches none or may touch several. */
export function ownerName({ changes }: PackedCommand): string | undefined {
  let name: string | undefined;
  for (const change of changes) {
    if (!('store' in change)) return undefined;
    if (name !== undefined && change.store !== name) return undefined;
    name = change.store;
  }
  return name;
}
