/** What is changed together, and the tests that must notice. */
export interface Area {
  readonly name: string;
  /** Folders and files below the root of the project. */
  readonly sources: readonly string[];
  /** Parts of paths of test files, as Vitest takes them. The quick ones suffice: a change that all of them miss counts. */
  readonly tests: readonly string[];
  /** Whether some of the tests run the built service, so that each change is bundled first. */
  readonly needsBundle: boolean;
}

/** The tables of what endpoints declare, and of times and counts. */
const tables = ['test/contract/', 'test/security/constants'];

const rightsTests = [
  ...tables,
  'test/security/asking',
  'test/security/bearer-tokens',
  'test/security/commits',
  'test/security/demoted-meanwhile',
  'test/security/giving',
  'test/security/guard',
  'test/security/last-administrator',
  'test/security/model-races',
  'test/security/narrow-tokens',
  'test/security/never',
  'test/security/rights',
  'test/security/taking',
  'test/security/users',
  'test/security/who-gives',
  'test/security/without-a-commit',
];

export const areas: readonly Area[] = [
  {
    name: 'rights',
    sources: ['src/kernel/rights'],
    tests: [
      ...rightsTests,
      'test/kernel/rights/',
      'test/directory/roles/',
      'test/protocols/oauth/clients/rights',
      'test/protocols/oauth/grants/delegated',
    ],
    needsBundle: true,
  },
  {
    name: 'access',
    sources: [
      'src/access/guard',
      'src/access/decisions/zanzibar',
      'src/access/decisions/checks',
      'src/access/decisions/context',
    ],
    tests: [
      ...rightsTests,
      'test/security/attributes',
      'test/security/rights-that-fail',
      'test/access/decisions/',
      'test/directory/policies/',
      'test/protocols/oauth/dpop/bound-tokens',
      'test/protocols/oauth/grants/delegated',
      'test/operations/',
    ],
    needsBundle: true,
  },
  {
    name: 'requirements',
    sources: [
      'src/kernel/transactions',
      'src/kernel/actors',
      'src/kernel/assignments',
      'src/kernel/records',
      'src/kernel/resources',
    ],
    tests: [
      ...rightsTests,
      'test/security/administrator-search',
      'test/security/rights-in-records',
      'test/security/rights-that-fail',
      'test/kernel/assignments/',
      'test/kernel/records/',
      'test/kernel/resources/',
      'test/kernel/transactions/',
      'test/directory/keys/',
      'test/directory/policies/',
      'test/directory/roles/',
      'test/directory/groups/',
      'test/directory/users/',
      'test/directory/permissions/',
      'test/kernel/lists/',
      'test/audit/entries',
      'test/operations/',
    ],
    needsBundle: true,
  },
  {
    name: 'tokens',
    sources: [
      'src/identity/sessions',
      'src/protocols/oauth/grants',
      'src/protocols/oauth/tokens',
      'src/protocols/oauth/lifecycle',
    ],
    tests: [
      ...tables,
      'test/identity/sessions/',
      'test/identity/account/applications',
      'test/identity/account/sessions',
      'test/protocols/oauth/grants/',
      'test/protocols/oauth/logout/',
      'test/protocols/oauth/lifecycle',
      'test/protocols/oauth/forged-tokens',
      'test/protocols/oauth/client-credentials',
      'test/protocols/oauth/clients/told-rights',
      'test/protocols/oauth/token-size',
      'test/protocols/oauth/authorize/bound-codes',
      'test/protocols/oauth/authorize/code-flow',
      'test/protocols/oauth/dpop/dpop',
      'test/operations/',
    ],
    needsBundle: true,
  },
  {
    name: 'proofs',
    sources: [
      'src/protocols/oauth/dpop',
      'src/protocols/oauth/clients/authentication',
      'src/protocols/oauth/remote-keys',
      'src/protocols/oauth/codes',
    ],
    tests: [
      ...tables,
      'test/protocols/oauth/dpop/dpop',
      'test/protocols/oauth/dpop/bound',
      'test/protocols/oauth/clients/a',
      'test/protocols/oauth/authorize/',
      'test/protocols/oauth/grants/resources',
    ],
    needsBundle: true,
  },
  {
    name: 'factors',
    sources: [
      'src/identity/mfa',
      'src/identity/limits/failure-record.ts',
      'src/identity/limits/lockout.ts',
      'src/identity/limits/rates/replay-cache.ts',
    ],
    tests: [
      ...tables,
      'test/identity/mfa/',
      'test/identity/limits/lockout',
      'test/identity/limits/replay-cache',
      'test/identity/signin/lockout',
      'test/identity/signin/second-factor',
    ],
    needsBundle: false,
  },
  {
    name: 'outbound',
    sources: ['address', 'address-list', 'outbound', 'outbound-request'].map(
      (name) => `src/platform/network/${name}.ts`,
    ),
    tests: [
      'test/security/constants',
      'test/platform/outbound',
      'test/platform/address',
      'test/platform/mail',
      'test/platform/sms',
      'test/identity/providers/discovery',
    ],
    needsBundle: false,
  },
  {
    name: 'evaluate',
    sources: ['check', 'explain', 'graph', 'list', 'plan', 'walk'].map((name) => `engine/evaluate/${name}`),
    tests: [
      'test/engine/conformance/',
      'test/engine/evaluate/',
      'test/engine/properties/decisions',
      'test/engine/properties/depth',
      'test/engine/properties/fixtures',
      'test/engine/properties/long-lists',
      'test/engine/properties/paging',
    ],
    needsBundle: false,
  },
  {
    name: 'equations',
    sources: ['engine/evaluate/equations'],
    tests: [
      'test/engine/evaluate/',
      'test/engine/properties/depth',
      'test/engine/properties/equations',
      'test/engine/properties/fixtures',
    ],
    needsBundle: false,
  },
];
