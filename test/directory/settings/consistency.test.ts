import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldAt, groups, initialSettings, type Settings } from '../../../src/directory/settings/truth/settings.ts';
import {
  familyA,
  familyB,
  ownViews,
  profileSettings,
  tenantView,
} from '../../../src/directory/settings/views/family-views.ts';
import {
  answerSchema,
  type Body,
  bodySchema,
  draftOf,
  readView,
  type View,
  type WriteMode,
} from '../../../src/directory/settings/views/view.ts';
import type { Truth, ViewField } from '../../../src/directory/settings/views/view-field.ts';
import { applyDraft } from '../../../src/directory/settings/write/apply-draft.ts';
import { seed } from '../../generated/seed.ts';
import { scene } from '../../security/organizations.ts';
import { inFamily } from './sections.ts';

const views: Readonly<Record<string, View>> = {
  ...familyA,
  ...familyB,
  ...ownViews,
  tenant: tenantView,
  profile: profileSettings,
};
const surroundings = { orgUrl: 'https://id.example/orgs/a' };

/** Where each setting stands: `[view, path]` by `group.name`. */
function viewFields(): Map<string, [view: string, path: readonly string[], field: ViewField][]> {
  const found = new Map<string, [string, readonly string[], ViewField][]>();
  const walk = (view: string, entries: View, path: readonly string[]): void => {
    for (const [name, entry] of Object.entries(entries)) {
      if (typeof entry.kind !== 'string') {
        walk(view, entry as View, [...path, name]);
        continue;
      }
      const field = entry as ViewField;
      const key = 'group' in field ? `${field.group}.${field.name}` : field.kind;
      found.set(key, [...(found.get(key) ?? []), [view, [...path, name], field]]);
    }
  };
  for (const [name, view] of Object.entries(views)) walk(name, view, []);
  return found;
}

const allFields = viewFields();
const schemas = Object.fromEntries(
  Object.entries(views).map(([name, view]) => [name, { body: bodySchema(view), answer: answerSchema(view) }]),
);
const names = groups.flatMap((group) => Object.keys(initialSettings[group]).map((name) => `${group}.${name}`));

test('every setting can be written through some view', () => {
  for (const name of names) expect(allFields.get(name), name).toBeDefined();
});

test('every initial value is one that could be written', () => {
  for (const [group, fields] of Object.entries(initialSettings)) {
    for (const [name, value] of Object.entries(fields)) {
      expect(fieldAt(group as keyof Settings, name).schema.safeParse(value).success, `${group}.${name}`).toBe(true);
    }
  }
});

test('what means the same in several families is one setting', () => {
  const shared = (name: string) => allFields.get(name)?.map(([view, path]) => `${view}:${path.join('.')}`);
  const rows: Readonly<Record<string, readonly string[]>> = {
    name: ['general:name', 'tenant:branding.displayName'],
    'branding.supportEmail': ['general:supportEmail', 'tenant:branding.supportEmail'],
    'branding.logoUrl': ['general:logoUrl', 'branding:logo_url', 'tenant:branding.logoUrl', 'profile:logo_url'],
    'branding.primaryColor': ['branding:primary_color', 'tenant:branding.primaryColor', 'profile:primary_color'],
    'passwordPolicy.minLength': [
      'authentication:passwordMinLength',
      'auth:password_policy.min_length',
      'tenant:passwordPolicy.minLength',
    ],
    'passwordPolicy.requireUppercase': [
      'authentication:passwordRequireUppercase',
      'auth:password_policy.require_uppercase',
      'tenant:passwordPolicy.requireUppercase',
    ],
    'passwordPolicy.requireNumbers': [
      'authentication:passwordRequireNumbers',
      'auth:password_policy.require_numbers',
      'tenant:passwordPolicy.requireNumbers',
    ],
    'passwordPolicy.requireSymbols': [
      'authentication:passwordRequireSymbols',
      'auth:password_policy.require_special',
      'tenant:passwordPolicy.requireSymbols',
    ],
    'passwordPolicy.allowGuessable': [
      'authentication:passwordAllowGuessable',
      'auth:password_policy.allow_guessable',
      'tenant:passwordPolicy.allowGuessable',
    ],
    'mfa.required': ['authentication:mfaRequired', 'auth:mfa.mfa_required', 'tenant:mfaPolicy.required'],
    'mfa.methods': ['authentication:mfaMethods', 'auth:mfa.mfa_methods', 'tenant:mfaPolicy.allowedMethods'],
    'session.maxAge': ['authentication:sessionDuration', 'tenant:sessionPolicy.maxAge'],
    'session.idleTimeout': [
      'security:sessionTimeout',
      'auth:session.session_timeout',
      'tenant:sessionPolicy.idleTimeout',
    ],
    'lockout.maxAttempts': ['security:maxLoginAttempts', 'tenant:loginPolicy.maxAttempts'],
    'lockout.duration': ['security:lockoutDuration', 'tenant:loginPolicy.lockoutDuration'],
  };
  for (const [name, expected] of Object.entries(rows)) expect(shared(name), name).toEqual(expected);
});

/** A value that a setting may have, and not just its initial one. */
function settable(field: ViewField): fc.Arbitrary<unknown> {
  if (field.kind === 'name') return fc.constantFrom('Acme', 'Beta', 'Ünïcode');
  if (field.kind !== 'setting') return fc.constant(undefined);
  const { schema, initial } = fieldAt(field.group, field.name);
  const candidates: unknown[] = [
    initial,
    null,
    ...(field.emptyText ? [''] : []),
    true,
    false,
    ...[1, 7, 8, 20, 60, 100, 300, 3600, 86_400],
    ...[
      'a@b.example',
      'https://a.example/x',
      '#a1b2c3',
      'strong',
      'standard',
      'custom',
      'gradient',
      'words',
      'host.example',
    ],
    ...[[], ['sms'], ['email', 'totp']],
  ];
  const isFit = (value: unknown): boolean => schema.safeParse(value).success || (field.emptyText && value === '');
  return fc.constantFrom(...candidates.filter(isFit));
}

function bodyOf(view: View): fc.Arbitrary<Body> {
  const shape = Object.entries(view).flatMap(([name, entry]) => {
    if (typeof entry.kind !== 'string') return [[name, bodyOf(entry as View)] as const];
    const { kind } = entry as ViewField;
    return kind === 'setting' || kind === 'name' ? [[name, settable(entry as ViewField)] as const] : [];
  });
  return fc.record(Object.fromEntries(shape), { requiredKeys: [] }) as fc.Arbitrary<Body>;
}

const writes = fc.oneof(
  ...Object.entries(views).map(([name, view]) =>
    fc.record({
      view: fc.constant(name),
      mode: fc.constantFrom<WriteMode>('replace', 'merge'),
      body: bodyOf(view),
    }),
  ),
);

/** Compared many thousand times, for which `expect` is slow. */
function requireSame(value: unknown, wanted: unknown, where: string): void {
  const [is, should] = [JSON.stringify(value), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${where} is ${is} and should be ${should}`);
}

/** By every name of every view. */
function readAll(truth: Truth): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, view] of Object.entries(views)) {
    const shown = readView(view, truth, surroundings);
    if (schemas[name]?.answer.safeParse(shown).success !== true) throw new Error(`${name} shows what it should not`);
    for (const [key, spots] of allFields) {
      for (const [where, path, field] of spots) {
        if (where !== name || (field.kind !== 'setting' && field.kind !== 'name')) continue;
        const value = path.reduce<unknown>((each, part) => (each as Record<string, unknown>)[part], shown);
        const plain = field.kind === 'setting' && field.emptyText && value === '' ? null : value;
        // one setting reads the same everywhere
        if (found.has(key)) requireSame(plain, found.get(key), `${key} in ${name}`);
        found.set(key, plain);
      }
    }
  }
  return found;
}

test('any writes through any views: each shows in all others, and changes nothing else', () => {
  fc.assert(
    fc.property(fc.array(writes, { minLength: 1, maxLength: 8 }), (list) => {
      let truth: Truth = { settings: initialSettings, profile: { name: 'first', metadata: {} } };
      for (const { view: name, mode, body } of list) {
        const view = views[name] as View;
        expect(schemas[name]?.body.safeParse(body).success).toBe(true);
        const before = readAll(truth);
        const draft = draftOf(view, body, mode);
        const settings = applyDraft(truth.settings, draft, (group, field, plain) => `${group}.${field}:${plain}`);
        truth = { settings, profile: { ...truth.profile, name: draft.name ?? truth.profile.name } };
        const after = readAll(truth);
        for (const key of after.keys()) {
          if (!isTemplated(key)) requireSame(after.get(key), expected(key, name, body, mode, before), key);
        }
      }
    }),
    { seed, numRuns: 100 },
  );
});

/** What a setting is after a write: what was given, its initial value, or what it was. */
function expected(key: string, view: string, body: Body, mode: WriteMode, before: Map<string, unknown>): unknown {
  const [, path = [], field] = allFields.get(key)?.find(([where]) => where === view) ?? [];
  if (field === undefined) return before.get(key);
  const given = path.reduce<unknown>((each, part) => (each as Body | undefined)?.[part], body);
  if (given !== undefined) return given === '' ? null : given;
  if (mode === 'merge' || field.kind !== 'setting') return before.get(key);
  return fieldAt(field.group, field.name).initial;
}

/** A template speaks for these: their rule has a test of its own. */
function isTemplated(key: string): boolean {
  return /^passwordPolicy\.(?:template|minLength|require\w+)$/.test(key);
}

describe('over HTTP', () => {
  const on = scene();

  test('a change through one family shows in the others', async () => {
    const rows: [write: [path: string, body: object], read: [path: string, shown: object]][] = [
      [
        ['/settings/authentication', { passwordMinLength: 11 }],
        ['/settings/auth', { password_policy: { min_length: 11 } }],
      ],
      [
        ['/settings/auth', { password_policy: { min_length: 13 } }],
        ['tenant', { passwordPolicy: { minLength: 13 } }],
      ],
      [
        ['tenant', { passwordPolicy: { minLength: 15 } }],
        ['/settings/authentication', { passwordMinLength: 15 }],
      ],
      [
        ['tenant', { mfaPolicy: { allowedMethods: ['sms'], required: true } }],
        ['/settings/auth', { mfa: { mfa_methods: ['sms'], mfa_required: true } }],
      ],
      [
        ['/settings/auth', { session: { session_timeout: 77 } }],
        ['/settings/security', { sessionTimeout: 77 }],
      ],
      [
        ['/settings/security', { sessionTimeout: 78 }],
        ['tenant', { sessionPolicy: { idleTimeout: 78 } }],
      ],
      [
        ['/settings/authentication', { sessionDuration: 79 }],
        ['tenant', { sessionPolicy: { maxAge: 79 } }],
      ],
      [
        ['tenant', { branding: { primaryColor: '#010203' } }],
        ['/settings/branding', { primary_color: '#010203' }],
      ],
      [
        ['/settings/branding', { logo_url: 'https://a.example/1' }],
        ['/settings/general', { logoUrl: 'https://a.example/1' }],
      ],
      [
        ['/settings/branding', { logo_url: '' }],
        ['tenant', { branding: { logoUrl: null } }],
      ],
      [
        ['/settings/general', { supportEmail: 'x@y.example' }],
        ['tenant', { branding: { supportEmail: 'x@y.example' } }],
      ],
      [
        ['tenant', { loginPolicy: { maxAttempts: 6 } }],
        ['/settings/security', { maxLoginAttempts: 6 }],
      ],
    ];
    for (const [[path, body], [where, shown]] of rows) {
      const written =
        path === 'tenant'
          ? await inFamily(on.org, 'tenant', 'PUT', '/settings', body)
          : await inFamily(on.org, 'org', 'PATCH', path, body);
      expect(written.status).toBe(200);
      const read =
        where === 'tenant'
          ? (await inFamily(on.org, 'tenant', 'GET', '/settings')).at('data')
          : (await inFamily(on.org, 'org', 'GET', where)).at('data.data');
      expect(read).toMatchObject(shown);
    }
  });
});
