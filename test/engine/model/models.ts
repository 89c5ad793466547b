import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { EngineError } from '../../../engine/errors.ts';
import type { ModelIssue } from '../../../engine/model/model.ts';

/** `body` is what follows the header and `type user`; it begins on line 4 of the whole text. */
export function dslOf(body: string): string {
  return `model\n  schema 1.1\ntype user\n${body}`;
}

/** The issues of the error that `run` throws, as `line:column message`, with the file in front where there is one. */
export function issuesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'invalid_model') throw error;
    const issues = error.details.issues as readonly ModelIssue[];
    return issues.map(({ file, line, column, message }) => {
      return `${file === undefined ? '' : `${file}:`}${line}:${column} ${message}`;
    });
  }
  return [];
}

const conformance = join(process.env.RELATA_CONFORMANCE_DIR ?? join('..', 'shared', 'conformance'), 'openfga');
export const hasConformanceData = existsSync(conformance);

interface TestFile {
  readonly tests: readonly { readonly name: string; readonly stages: readonly { readonly model: string }[] }[];
}

/** Every model of the OpenFGA test files and sample stores. */
export function conformanceModels(): { readonly name: string; readonly dsl: string }[] {
  if (!hasConformanceData) return [];
  const stages = ['consolidated_1_1_tests.yaml', 'abac_tests.yaml'].flatMap((file) => {
    const { tests } = parse(readFileSync(join(conformance, file), 'utf8')) as TestFile;
    return tests.flatMap((test) =>
      test.stages.map((stage, index) => ({ name: `${file}: ${test.name}, stage ${index}`, dsl: stage.model })),
    );
  });
  const stores = readdirSync(join(conformance, 'stores')).map((name) => {
    const folder = join(conformance, 'stores', name);
    const store = parse(readFileSync(join(folder, 'store.fga.yaml'), 'utf8')) as {
      model?: string;
      model_file?: string;
    };
    return { name, dsl: store.model ?? readFileSync(join(folder, store.model_file ?? ''), 'utf8') };
  });
  return [...stages, ...stores];
}
