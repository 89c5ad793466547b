import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { environmentSettings, variableOf } from './environment.ts';
import { type Config, type Settings, settingsSchema } from './settings.ts';

/** A setting that cannot be used. `problems` has one line for each, naming the variable or the file it came from. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

interface LoadedConfig {
  readonly config: Config;
  /** Variables that look like settings and are none: most often a typing error. */
  readonly warnings: readonly string[];
}

interface ConfigSource {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of the JSON file of defaults; found beside the package where omitted. */
  readonly file?: string;
  readonly cores?: number;
}

/**
 * Reads the defaults, lays `RELATA_*` variables over them and validates the result.
 * @throws ConfigError naming every unusable setting at once, so that an operator corrects them in one go.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const file = source.file ?? defaultConfigFile();
  const defaults = readDefaults(file);
  const fromEnvironment = environmentSettings(source.environment);
  if (fromEnvironment.problems.length > 0) throw new ConfigError(fromEnvironment.problems);
  const merged = {
    ...defaults,
    ...fromEnvironment.settings,
    limits: { ...(defaults.limits as object | undefined), ...fromEnvironment.limits },
  };
  const parsed = settingsSchema.safeParse(merged);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => describe(issue, fromEnvironment.variables, file)));
  }
  return { config: derive(parsed.data, source.cores ?? availableParallelism()), warnings: fromEnvironment.warnings };
}

function readDefaults(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch (cause) {
    throw new ConfigError([`${file}: ${(cause as Error).message}`]);
  }
}

function describe(issue: z.core.$ZodIssue, used: ReadonlySet<string>, file: string): string {
  const path = issue.path.map(String);
  const variable = variableOf(path);
  const where = used.has(variable) ? variable : `${file}: ${path.join('.') || 'settings'}`;
  return `${where}: ${issue.message}`;
}

function derive(settings: Settings, cores: number): Config {
  const host =
    settings.host === '0.0.0.0' || settings.host === '::' || settings.host === '127.0.0.1'
      ? 'localhost'
      : settings.host;
  const authority = host.includes(':') ? `[${host}]` : host;
  return {
    ...settings,
    // as browsers write it: issuers are compared character by character
    baseUrl: new URL(settings.baseUrl ?? `http://${authority}:${settings.port}`).href.replace(/\/+$/, ''),
    threads: settings.threads ?? cores,
  };
}

/** The `config/default.json` of this package, whether it runs from its sources or from `dist`. */
export function defaultConfigFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, 'config', 'default.json');
    if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) throw new ConfigError(['config/default.json was not found beside the package']);
    folder = parent;
  }
}
