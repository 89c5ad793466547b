import type { Change, Engine } from '#engine';
import type { ScimDependencies } from '../../service/scim-dependencies.ts';

/** Thrown in place of a commit, with the changes that would have been committed. */
class Withheld extends Error {
  readonly changes: readonly Change[];

  constructor(changes: readonly Change[]) {
    super('the changes of a dry run are not committed');
    this.name = 'Withheld';
    this.changes = changes;
  }
}

/**
 * Runs a change up to its first commit, which is not made. Rights, settings and versions are checked as usual.
 * @returns the changes that would have been committed
 */
export async function dryRun(
  dependencies: ScimDependencies,
  run: (dependencies: ScimDependencies) => Promise<unknown>,
): Promise<readonly Change[]> {
  // taking a number would be a commit of its own
  const numbers = { next: () => Promise.resolve(0) };
  try {
    await run({ ...dependencies, numbers, engine: withholding(dependencies.engine) });
    return [];
  } catch (error) {
    if (error instanceof Withheld) return error.changes;
    throw error;
  }
}

/** The same engine, which commits nothing. Its other methods need the engine itself as `this`. */
function withholding(engine: Engine): Engine {
  const planned = new WeakMap<object, readonly Change[]>();
  const own: Partial<Record<string | symbol, unknown>> = {
    command(...parts: Parameters<Engine['command']>) {
      const command = engine.command(...parts);
      planned.set(command, parts[0]);
      return command;
    },
    submit: (command: object) => Promise.reject(new Withheld(planned.get(command) ?? [])),
  };
  return new Proxy(engine, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
