import { type Change, type CountingDefinition, Engine, type ListingDefinition, type Model, type Store } from '#engine';

interface Clock {
  now(): number;
}

interface CreatedOrganization {
  readonly record: { readonly id: string; readonly slug: string; readonly systemModelId: string };
  readonly adminApiKey: string;
}

interface OrganizationsDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly systemModel: unknown;
}

interface Organizations {
  prepare(): Promise<void>;
  create(slug: string, name: string): Promise<CreatedOrganization | undefined>;
}

export interface AuditMaker {
  readonly newId: () => string;
  readonly now: () => number;
}

interface SignIn {
  readonly userId: string;
  readonly authMethod: 'password';
  readonly mfaVerified: boolean;
  readonly ipAddress: string;
  readonly userAgent: string;
}

interface SessionDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly audit: AuditMaker;
  readonly locate: (address: string) => null;
}

interface TokenGrant {
  readonly type: 'access' | 'refresh';
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

export interface Sessions {
  begin(store: Store, signIn: SignIn): { readonly changes: readonly Change[] } | undefined;
}

export interface Tokens {
  begin(store: Store, grant: TokenGrant): { readonly changes: readonly Change[] } | undefined;
}

export interface AuditEvent {
  readonly eventType: string;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly personal: Readonly<Record<string, unknown>>;
}

interface RequestFacts {
  readonly requestId: string;
  header(name: string): string;
  clientAddress(): string;
}

interface RecordKind {
  readonly listing: ListingDefinition | undefined;
  put(at: { readonly name: string }, id: string, document: unknown): Change;
}

/** What is used of the built service to make what it would make itself. It is loaded from where it was built. */
export interface BuiltService {
  readonly Organizations: new (dependencies: OrganizationsDependencies) => Organizations;
  readonly Numbers: new (
    engine: Engine,
    blockSize: number,
  ) => { next(store: string, sequence: string): Promise<number> };
  readonly Sessions: new (dependencies: SessionDependencies) => Sessions;
  readonly Tokens: new (dependencies: SessionDependencies) => Tokens;
  readonly systemClock: Clock;
  loadSystemModel(): unknown;
  readonly modules: unknown;
  recordsOf(modules: unknown): unknown;
  countingsOf(kinds: unknown): readonly CountingDefinition[];
  /** With the types of all modules, as the service has it. */
  systemModelOf(modules: unknown): { readonly model: Model };
  uuidGenerator(clock: Clock): () => string;
  readonly userRecords: RecordKind;
  readonly groupRecords: RecordKind;
  readonly roleRecords: RecordKind;
  readonly settingsRecords: RecordKind;
  readonly settingsId: string;
  putPermission(at: { readonly name: string }, document: unknown): Change;
  readonly firstOwnNumber: number;
  auditedAs(
    maker: AuditMaker,
    organization: { readonly id: string; readonly store: { readonly name: string } },
    actor: { readonly id: string; readonly type: 'user'; readonly email: string },
    request: RequestFacts,
    auditEvent: AuditEvent,
  ): readonly Change[];
  loadSecrets(
    config: { readonly dataDir: string; readonly platformKey: null; readonly masterKey: null },
    path: string,
  ): Promise<{ readonly masterKey: string }>;
  deriveKey(masterKey: string, purpose: 'audit chain'): Uint8Array;
}

const MODULES = [
  'kernel/transactions',
  'kernel/audit',
  'kernel/organizations',
  'kernel/rights',
  'directory/organizations',
  'directory/records',
  'identity/sessions',
  'platform',
];

const PARTS = ['directory/settings/truth/settings', 'server/secrets', 'server/listings', 'server/modules'];

export async function builtService(): Promise<BuiltService> {
  const source = new URL('../../../src/', import.meta.url);
  const modules = [...MODULES.map((module) => `${module}/index`), ...PARTS].map(
    (module) => import(new URL(`${module}.js`, source).href),
  );
  return Object.assign({}, ...(await Promise.all(modules))) as BuiltService;
}

/** The engine in a new data folder, as the service opens it. */
export async function openAsService(built: BuiltService, folder: string, path: string): Promise<Engine> {
  const { masterKey } = await built.loadSecrets({ dataDir: folder, platformKey: null, masterKey: null }, path);
  return Engine.open({ path, chainKey: built.deriveKey(masterKey, 'audit chain'), countings: countingsOf(built) });
}

/** What the service counts. */
export function countingsOf(built: BuiltService): readonly CountingDefinition[] {
  return built.countingsOf(built.recordsOf(built.modules));
}
