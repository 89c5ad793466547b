import { z } from 'zod';
import { settingsSchema } from './settings.ts';

/** How the text of a variable is read, and what it must be, in words, where it cannot be read at all. */
interface Form {
  readonly read: (text: string) => unknown;
  readonly words: string;
}

const text: Form = { read: (value) => value, words: 'text' };
const integer: Form = {
  read: (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : undefined),
  words: 'a whole number',
};
const onOff: Form = {
  read: (value) => ({ '1': true, true: true, '0': false, false: false })[value],
  words: '1 or 0',
};
const list: Form = { read: (value) => value.split(',').flatMap((entry) => entry.trim() || []), words: 'a list' };

function formOf(schema: z.ZodType): Form {
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  if (inner instanceof z.ZodNumber) return integer;
  if (inner instanceof z.ZodBoolean) return onOff;
  return inner instanceof z.ZodArray ? list : text;
}

/** `dataDir` is set by `RELATA_DATA_DIR`, and of the limits `bodyBytes` by `RELATA_LIMIT_BODY_BYTES`. */
export function variableOf([first = '', second = '']: readonly string[]): string {
  const name = first === 'limits' ? `limit_${second}` : first;
  return `RELATA_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

interface Variable {
  readonly setting: string;
  readonly isLimit: boolean;
  readonly form: Form;
}

const { limits: limitsSchema, ...plainSettings } = settingsSchema.shape;

/** One for each setting and limit. */
const variables: ReadonlyMap<string, Variable> = new Map([
  ...Object.entries(plainSettings).map(([setting, schema]): [string, Variable] => {
    return [variableOf([setting]), { setting, isLimit: false, form: formOf(schema) }];
  }),
  ...Object.entries(limitsSchema.shape).map(([setting, schema]): [string, Variable] => {
    return [variableOf(['limits', setting]), { setting, isLimit: true, form: formOf(schema) }];
  }),
]);

export interface EnvironmentSettings {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly variables: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Read by single commands, and often still set in a shell that starts the server. */
const ofCommands = new Set(['RELATA_KEY', 'RELATA_BACKUP_PASSPHRASE']);

/** Reads the `RELATA_*` variables. An empty variable counts as unset, as container tools often pass it that way. */
export function environmentSettings(environment: Readonly<Record<string, string | undefined>>): EnvironmentSettings {
  const settings: Record<string, unknown> = {};
  const limits: Record<string, unknown> = {};
  const used = new Set<string>();
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('RELATA_') || value === undefined || value === '' || ofCommands.has(name)) continue;
    const variable = variables.get(name);
    if (variable === undefined) {
      warnings.push(`${name} is not a setting of this version and is ignored`);
      continue;
    }
    const { setting, isLimit, form } = variable;
    const read = form.read(value);
    if (read === undefined) problems.push(`${name}: must be ${form.words}`);
    used.add(name);
    (isLimit ? limits : settings)[setting] = read;
  }
  return { settings, limits, variables: used, problems, warnings };
}
