import type { Answer } from '../server/running-service.ts';
import type { Kind, Model, Owned } from './model.ts';

export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A small generator, so that a run can be told by its seed. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const paths = { role: 'roles', group: 'groups' } as const;

/** One of many who change an organization at once. Every answer must be one that the rules allow. */
export class Client {
  readonly #call: Call;
  readonly #model: Model;
  readonly #owned: Owned;
  readonly #random: Random;
  readonly #name: string;
  #count = 0;
  /** Answers that no order of the requests explains. */
  readonly wrong: string[] = [];
  requests = 0;

  constructor(call: Call, model: Model, random: Random, name: string) {
    this.#call = call;
    this.#model = model;
    this.#owned = model.add();
    this.#random = random;
    this.#name = name;
  }

  async step(): Promise<void> {
    const steps = [
      () => this.#createUser(),
      () => this.#createUser(),
      () => this.#change(),
      () => this.#block(),
      () => this.#deleteUser(),
      () => this.#createThing('role'),
      () => this.#createThing('group'),
      () => this.#deleteThing('role'),
      () => this.#deleteThing('group'),
      () => this.#give('role'),
      () => this.#give('role'),
      () => this.#give('group'),
      () => this.#give('group'),
      () => this.#take('role'),
      () => this.#take('group'),
    ];
    await this.#pick(steps)?.();
  }

  async #createUser(): Promise<void> {
    const email = `${this.#name}.${++this.#count}@example.com`;
    const answer = await this.#send('POST', '/users', { email }, [201]);
    if (answer === undefined) return;
    this.#owned.users.set(answer.text('data.data.id'), { email, name: '', isBlocked: false });
    this.#model.entry('user.create');
  }

  async #change(): Promise<void> {
    const [id, user] = this.#pick([...this.#owned.users]) ?? [];
    if (id === undefined || user === undefined) return;
    const name = `Name ${++this.#count}`;
    if ((await this.#send('PATCH', `/users/${id}`, { name }, [200])) === undefined) return;
    user.name = name;
    this.#model.entry('user.update');
  }

  async #block(): Promise<void> {
    const [id, user] = this.#pick([...this.#owned.users]) ?? [];
    if (id === undefined || user === undefined) return;
    const verb = user.isBlocked ? 'unblock' : 'block';
    if ((await this.#send('POST', `/users/${id}/${verb}`, undefined, [200])) === undefined) return;
    user.isBlocked = !user.isBlocked;
    this.#model.entry(`user.${verb}`);
  }

  async #deleteUser(): Promise<void> {
    const [id] = this.#pick([...this.#owned.users]) ?? [];
    if (id === undefined || (await this.#send('DELETE', `/users/${id}`, undefined, [204])) === undefined) return;
    this.#owned.users.delete(id);
    this.#model.entry('user.delete');
  }

  async #createThing(kind: Kind): Promise<void> {
    const slug = `${this.#name}-${kind}-${++this.#count}`;
    const body = kind === 'role' ? { name: slug, slug, description: '' } : { name: slug };
    const answer = await this.#send('POST', `/${paths[kind]}`, body, [201]);
    if (answer === undefined) return;
    this.#things(kind).set(answer.text('data.data.id'), slug);
    this.#model.entry(`${kind}.create`);
  }

  async #deleteThing(kind: Kind): Promise<void> {
    const [id] = this.#pick([...this.#things(kind)]) ?? [];
    if (id === undefined) return;
    if ((await this.#send('DELETE', `/${paths[kind]}/${id}`, undefined, [200])) === undefined) return;
    this.#things(kind).delete(id);
    this.#model.entry(`${kind}.delete`);
  }

  /** A role or group of anybody to a user of one's own: 400 where it was deleted meanwhile. */
  async #give(kind: Kind): Promise<void> {
    const [user] = this.#pick([...this.#owned.users]) ?? [];
    const [id, slug] = this.#pick([...this.#model.things(kind)]) ?? [];
    if (user === undefined || id === undefined) return;
    const body = kind === 'role' ? { roleId: id } : { groupId: id };
    const answer = await this.#send('POST', `/users/${user}/${paths[kind]}`, body, [200, 201, 400]);
    if (answer === undefined || answer.status === 400) return;
    const key = `${user} ${kind} ${slug}`;
    if (!this.#model.given.has(key)) this.#model.entry(kind === 'role' ? 'role.assign' : 'group.add_member');
    this.#model.given.add(key);
  }

  async #take(kind: Kind): Promise<void> {
    const { users } = this.#owned;
    const mine = [...this.#model.given].filter(
      (each) => each.includes(` ${kind} `) && users.has(each.split(' ')[0] ?? ''),
    );
    const [user = '', , slug] = this.#pick(mine)?.split(' ') ?? [];
    const id = [...this.#model.things(kind)].find(([, each]) => each === slug)?.[0];
    if (id === undefined) return;
    const answer = await this.#send('DELETE', `/users/${user}/${paths[kind]}/${id}`, undefined, [200, 204, 404]);
    if (answer === undefined || answer.status === 404) return;
    this.#model.given.delete(`${user} ${kind} ${slug}`);
    this.#model.entry(kind === 'role' ? 'role.unassign' : 'group.remove_member');
  }

  #things(kind: Kind): Map<string, string> {
    return kind === 'role' ? this.#owned.roles : this.#owned.groups;
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.#random(items.length)];
  }

  async #send(method: string, path: string, body: unknown, expected: readonly number[]): Promise<Answer | undefined> {
    const answer = await this.#call(method, path, body);
    this.requests++;
    if (expected.includes(answer.status)) return answer;
    this.wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return undefined;
  }
}
