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

const rightsTests = [
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
    sources: ['src/rights'],
    tests: [...rightsTests, 'test/roles/', 'test/oauth/clients/rights', 'test/oauth/grants/delegated'],
    needsBundle: true,
  },
  {
    name: 'access',
    sources: ['src/authz/guard', 'src/authz/zanzibar', 'src/authz/checks', 'src/authz/context'],
    tests: [
      ...rightsTests,
      'test/security/attributes',
      'test/security/rights-that-fail',
      'test/authz/',
      'test/policies/',
      'test/oauth/dpop/bound-tokens',
      'test/oauth/grants/delegated',
      'test/operations/',
    ],
    needsBundle: true,
  },
  {
    name: 'requirements',
    sources: ['src/admin', 'src/kernel'],
    tests: [
      ...rightsTests,
      'test/security/administrator-search',
      'test/security/rights-in-records',
      'test/security/rights-that-fail',
      'test/admin/',
      'test/kernel/',
      'test/keys/',
      'test/policies/',
      'test/roles/',
      'test/groups/',
      'test/users/',
      'test/permissions/',
      'test/lists/',
      'test/audit/entries',
      'test/operations/',
    ],
    needsBundle: true,
  },
  {
    name: 'tokens',
    sources: ['src/sessions', 'src/oauth/grants', 'src/oauth/tokens', 'src/oauth/lifecycle'],
    tests: [
      'test/sessions/',
      'test/account/applications',
      'test/account/sessions',
      'test/oauth/grants/',
      'test/oauth/logout/',
      'test/oauth/lifecycle',
      'test/oauth/forged-tokens',
      'test/oauth/client-credentials',
      'test/oauth/clients/told-rights',
      'test/oauth/token-size',
      'test/oauth/authorize/bound-codes',
      'test/oauth/authorize/code-flow',
      'test/oauth/dpop/dpop',
      'test/operations/',
    ],
    needsBundle: true,
  },
  {
    name: 'proofs',
    sources: ['src/oauth/dpop', 'src/oauth/clients/authentication', 'src/oauth/codes'],
    tests: [
      'test/oauth/dpop/dpop',
      'test/oauth/dpop/bound',
      'test/oauth/clients/a',
      'test/oauth/authorize/',
      'test/oauth/grants/resources',
    ],
    needsBundle: true,
  },
  {
    name: 'factors',
    sources: ['src/mfa', 'src/limits/lockout', 'src/limits/rates/spent-table.ts'],
    tests: [
      'test/mfa/',
      'test/limits/lockout',
      'test/limits/spent-table',
      'test/signin/lockout',
      'test/signin/second-factor',
    ],
    needsBundle: false,
  },
  {
    name: 'outbound',
    sources: ['address', 'address-list', 'outbound', 'outbound-request'].map(
      (name) => `src/platform/network/${name}.ts`,
    ),
    tests: [
      'test/platform/outbound',
      'test/platform/address',
      'test/platform/mail',
      'test/platform/sms',
      'test/social/discovery',
    ],
    needsBundle: false,
  },
  {
    name: 'evaluate',
    sources: ['check', 'explain', 'graph', 'list', 'plan'].map((name) => `engine/evaluate/${name}`),
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
