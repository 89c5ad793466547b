import {
  type Approval,
  createTask,
  type ElevationDependencies,
  type NewTask,
  taskView,
} from '../../../src/directory/elevations/index.ts';
import {
  agentRecords,
  agentSubject,
  delegationRecords,
  mintAgentKey,
  type TaskEntry,
  type TaskRecord,
  taskRecords,
  userSubject,
} from '../../../src/directory/records/index.ts';
import { createReplayMemory, ReplayCache } from '../../../src/identity/limits/index.ts';
import { entryRecords } from '../../../src/kernel/audit/index.ts';
import type { Caller } from '../../../src/kernel/organizations/index.ts';
import { facts, type InProcessOrganization, type NewUser } from '../../identity/sessions/in-process-service.ts';

/** An organization with permissions that agents ask for, and people who can lend them. */
export class Scene {
  readonly org: InProcessOrganization;
  readonly elevations: ElevationDependencies;
  readonly #keys = new Map<string, string>();
  #count = 0;

  private constructor(org: InProcessOrganization) {
    this.org = org;
    const { clock } = org.service;
    const spent = new ReplayCache(createReplayMemory(1000, clock.now()));
    this.elevations = { ...org.service.keyDependencies(), spent };
  }

  static async in(org: InProcessOrganization): Promise<Scene> {
    for (const slug of ['docs:read', 'docs:write', 'db:write']) {
      const made = await org.org('POST', '/admin/permissions', { body: { slug, name: `May ${slug}` } });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    }
    return new Scene(org);
  }

  get store() {
    return this.org.organization.store;
  }

  /** Somebody who holds these, by grants of their own. */
  async person(...permissions: string[]): Promise<NewUser> {
    const user = await this.org.newUser(`person-${++this.#count}@people.example`);
    await this.grant(user, ...permissions);
    return user;
  }

  /** Somebody who can lend all of the permissions. */
  approver(): Promise<NewUser> {
    return this.person('jit.approve', 'docs:read', 'docs:write', 'db:write');
  }

  grant(user: NewUser, ...permissions: string[]): Promise<void> {
    return this.#tuples('writes', user, permissions);
  }

  revoke(user: NewUser, ...permissions: string[]): Promise<void> {
    return this.#tuples('deletes', user, permissions);
  }

  async #tuples(op: 'writes' | 'deletes', user: NewUser, permissions: readonly string[]): Promise<void> {
    if (permissions.length === 0) return;
    const tuples = permissions.map((slug) => `permission:${slug}#granted@${userSubject(user.id)}`);
    const done = await this.org.tenant('POST', '/zanzibar/tuples', { body: { [op]: tuples } });
    if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  }

  async agent(name = `agent ${++this.#count}`): Promise<string> {
    const id = this.elevations.audit.newId();
    const now = this.elevations.clock.now();
    const { key, kept } = mintAgentKey();
    this.#keys.set(id, key);
    const document = {
      name,
      type: 'service' as const,
      isActive: true,
      ...kept,
      createdAt: now,
      updatedAt: now,
      createdBy: 'platform',
    };
    await this.org.service.submit([agentRecords.put(this.store, id, document)]);
    return id;
  }

  /** A token of the agent itself. */
  async token(agentId: string): Promise<string> {
    const { service, organization } = this.org;
    const form = { grant_type: 'client_credentials', client_id: agentId, client_secret: this.#keys.get(agentId) ?? '' };
    const answer = await service.call('POST', `/t/${organization.slug}/api/v1/oauth/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.text('access_token');
  }

  /** The agent as it calls with a credential of its own, or for a user who has delegated to it. */
  caller(agentId: string, delegation?: { readonly id: string; readonly userId: string }): Caller {
    const { organization } = this.org;
    const may = { seesRights: true, may: () => false, isStillValid: () => true };
    if (delegation === undefined) return { organization, subject: agentSubject(agentId), ...may };
    const agency = { kind: 'delegation', id: delegation.id } as const;
    return { organization, subject: userSubject(delegation.userId), actor: agentSubject(agentId), agency, ...may };
  }

  async delegation(agentId: string, user: NewUser): Promise<{ id: string; userId: string }> {
    const id = this.elevations.audit.newId();
    const createdAt = this.elevations.clock.now();
    const document = { userId: user.id, agentId, scopes: ['docs:read'], createdAt, expiresAt: createdAt + 3_600_000 };
    await this.org.service.submit([delegationRecords.put(this.store, id, document)]);
    return { id, userId: user.id };
  }

  ask(caller: Caller, body: Partial<NewTask> = {}): Promise<TaskEntry> {
    const asked = { task_description: 'Correct the prices', required_scopes: ['db:write'], ...body };
    return createTask(this.elevations, caller, facts, asked);
  }

  /** As it stands. */
  task(id: string): TaskRecord {
    const entry = this.entry(id);
    if (entry === undefined) throw new Error(`there is no task ${id}`);
    return entry.document;
  }

  entry(id: string): TaskEntry | undefined {
    return this.org.service.read(() => taskRecords.get(this.store, id));
  }

  digest(id: string): string {
    const { clock } = this.elevations;
    return this.org.service.read(() => {
      const entry = taskRecords.get(this.store, id);
      return entry === undefined ? '' : taskView(this.store, entry, clock.now()).digest;
    });
  }

  /** An approval of all that was asked for, as the page shows it now. */
  all(id: string): Approval {
    const { scopes, seconds } = this.task(id);
    return { digest: this.digest(id), scopes, seconds };
  }

  /** Tuples by which something is lent. */
  lent(id: string): string[] {
    const { tuples } = this.org.service.read(() => this.store.readTuples({ subject: `elevation:${id}` }));
    return tuples.map(({ object }) => object).toSorted();
  }

  /** Whether the engine finds a permission with what was lent. */
  counts(id: string, slug: string): boolean {
    const now = this.elevations.clock.now();
    const asked = { object: `permission:${slug}`, relation: 'granted', subject: `elevation:${id}`, now };
    return this.org.service.read(() => this.store.check(asked)).outcome === 'allowed';
  }

  /** Audit entries about a task: what was done, and by whom. */
  audited(id: string): string[] {
    const ids = this.org.service.read(() => entryRecords.index(this.store).ids('targetId', id, { limit: 100 }));
    return this.org.service.read(() =>
      ids.map((each) => {
        const entry = entryRecords.get(this.store, each)?.document;
        return `${entry?.action} ${entry?.actorType}:${entry?.actorId} ${String(entry?.metadata.agentId)}`;
      }),
    );
  }
}
