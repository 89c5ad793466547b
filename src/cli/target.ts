import { isDeepStrictEqual } from 'node:util';
import { type Engine, EngineError, type Model, type ModelSource, type Store } from '#engine';
import { Organizations } from '../directory/organizations/index.ts';
import { storeOf } from '../kernel/organizations/index.ts';
import { systemClock, uuidGenerator } from '../platform/index.ts';
import { CliError } from './cli-error.ts';
import { counted } from './progress.ts';
import type { LoadDescription } from './service-description.ts';
import { located } from './store-file/read-model.ts';

export interface TargetOptions {
  readonly org?: string;
  readonly store?: string;
  readonly create?: boolean;
}

/** A store that a command works on, and what its models are merged with: the system model in an organization. */
export interface Target {
  readonly store: Store;
  readonly base: Model | undefined;
  /** The administration key of an organization that was made just now. */
  readonly adminApiKey?: string;
}

/** The name of the store that the options mean. Throws `CliError` where they name none or two. */
export function storeName({ org, store }: TargetOptions): string {
  if ((org === undefined) === (store === undefined)) throw new CliError('use either --org NAME or --store NAME');
  return org === undefined ? (store as string) : storeOf(org); // one of them was just seen
}

/** Finds the store; with `create` an organization or a store that is not there is made. */
export async function openTarget(engine: Engine, options: TargetOptions, describe: LoadDescription): Promise<Target> {
  const name = storeName(options);
  if (options.org === undefined) {
    const store = engine.hasStore(name) || !options.create ? findStore(engine, name) : undefined;
    return { store: store ?? (await engine.createStore(name)), base: undefined };
  }
  const { systemModel } = await describe();
  if (engine.hasStore(name)) return { store: engine.store(name), base: systemModel.model };
  if (!options.create) throw new CliError(`there is no organization ${options.org} (--create creates it)`);
  const clock = systemClock;
  const newId = uuidGenerator(clock);
  const organizations = new Organizations({ engine, clock, newId, systemModel });
  await organizations.prepare();
  const created = await organizations.create(options.org, options.org);
  if (created === undefined) throw new CliError(`the organization ${options.org} is or was in use`);
  return { store: engine.store(name), base: systemModel.model, adminApiKey: created.adminApiKey };
}

/** Throws `CliError` naming the stores that there are. */
export function findStore(engine: Engine, name: string): Store {
  try {
    return engine.store(name);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unknown_store') throw error;
    const names = engine.storeNames();
    const there = names.length === 0 ? 'there are none' : `there are ${names.slice(0, 10).join(', ')}`;
    throw new CliError(`there is no store ${name}; ${there}`);
  }
}

/** Makes a model the latest, unless it is. Answers in words what happened. */
export async function writeModel(target: Target, source: ModelSource, path: string): Promise<string> {
  const { store, base } = target;
  const latest = store.modelIds()[0];
  if (latest !== undefined && isDeepStrictEqual(store.model(latest).source, source))
    return `model ${latest} is unchanged`;
  const prepared = located(path, () => store.prepareModel(source, base === undefined ? {} : { base }));
  const { modelId } = await store.writePreparedModel(source, prepared);
  return writtenText(modelId, prepared.orphans);
}

/** @param orphans stored tuples that the model does not allow */
export function writtenText(
  modelId: string,
  orphans: { readonly count: number; readonly samples: readonly string[] },
): string {
  if (orphans.count === 0) return `model ${modelId} written`;
  return `model ${modelId} written; it does not allow ${counted(orphans.count, 'stored tuple')}, ${orphans.samples[0] ?? ''} among them`;
}
