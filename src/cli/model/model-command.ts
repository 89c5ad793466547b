import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type Model, parseModel } from '#engine';
import { EXIT } from '../cli-error.ts';
import { unusableFile } from '../file-problem.ts';
import { counted } from '../progress.ts';
import { runAction } from '../run-action.ts';
import type { LoadDescription } from '../service-description.ts';
import { issueText, modelIssues, readModel } from '../store-file/read-model.ts';
import type { Terminal } from '../terminal.ts';
import { type FileResult, runStoreFile } from './run-tests.ts';
import { countsOf, junitXml, reportText } from './test-report.ts';

const systemTypes = [
  '--system-types',
  'add the types that every organization has (user, group, role, ...), for files from `relata export --org`',
] as const;

export function modelCommand(terminal: Terminal, describe: LoadDescription): Command {
  const command = new Command('model').description('validate and test authorization models');
  command
    .command('test')
    .description("run a store file's tests against an engine of its own; nothing is stored")
    .argument('<file...>', 'store files (.fga.yaml)')
    .option('--junit <file>', 'also write the results as JUnit XML')
    .option('--verbose', 'also show assertions that passed')
    .option(...systemTypes)
    .action((files: string[], options: TestOptions) =>
      runAction(terminal, () => testModels(terminal, files, options, describe)),
    );
  command
    .command('validate')
    .description('check whether models are valid')
    .argument('<file...>', 'models: .fga, fga.mod or store files')
    .option(...systemTypes)
    .action((files: string[], options: ModelOptions) =>
      runAction(terminal, async () => validateModels(terminal, files, await baseOf(options, describe))),
    );
  return command;
}

interface ModelOptions {
  readonly systemTypes?: boolean;
}

interface TestOptions extends ModelOptions {
  readonly junit?: string;
  readonly verbose?: boolean;
}

/** What the models of the files are merged with. */
type Base = { readonly base?: Model };

async function baseOf({ systemTypes: isMerged = false }: ModelOptions, describe: LoadDescription): Promise<Base> {
  return isMerged ? { base: (await describe()).systemModel.model } : {};
}

/** Every file is run; one that cannot be used does not keep the others from it. */
async function testModels(
  terminal: Terminal,
  files: readonly string[],
  options: TestOptions,
  describe: LoadDescription,
): Promise<void> {
  const results: FileResult[] = [];
  const base = await baseOf(options, describe);
  let unusable = 0;
  for (const path of files) {
    await runAction(terminal, async () => {
      try {
        const result = await runStoreFile(path, base);
        results.push(result);
        terminal.out.write(reportText(result, options.verbose ?? false));
      } catch (error) {
        unusable++;
        throw error;
      }
    });
  }
  if (options.junit !== undefined) await write(options.junit, junitXml(results));
  const { tests, assertions, failed } = countsOf(results);
  const rest = unusable === 0 ? '' : `, ${counted(unusable, 'file')} could not be used`;
  terminal.out.write(
    `${counted(files.length, 'file')}, ${counted(tests, 'test')}, ${counted(assertions, 'assertion')}: ${failed} failed${rest}\n`,
  );
  if (unusable === 0) terminal.setExitCode(failed === 0 ? EXIT.done : EXIT.negative);
}

async function validateModels(terminal: Terminal, files: readonly string[], base: Base): Promise<void> {
  let isUsable = true;
  for (const path of files) {
    try {
      const source = await readModel(path);
      const { types, conditions } = parseModel(source, base);
      terminal.out.write(
        `${path}: ${counted(types.size, 'type')}, ${counted(conditions.size, 'condition')}, no issues\n`,
      );
    } catch (error) {
      const issues = modelIssues(error);
      if (issues === undefined) throw error;
      isUsable = false;
      for (const issue of issues) terminal.out.write(`${issueText(path, issue)}\n`);
    }
  }
  if (!isUsable) terminal.setExitCode(EXIT.negative);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw unusableFile(path, error);
  }
}
