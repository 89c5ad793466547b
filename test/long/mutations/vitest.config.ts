import { existsSync, readFileSync } from 'node:fs';
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../../../vitest.config.ts';

/** Takes the files in the order that the run of the mutations gives, and those that it does not know last. */
class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = existsSync('order.json') ? (JSON.parse(readFileSync('order.json', 'utf8')) as string[]) : [];
    const places = new Map(order.map((name, place) => [name, place]));
    const place = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? order.length;
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default mergeConfig(config, { test: { sequence: { sequencer: GivenOrder } } });
