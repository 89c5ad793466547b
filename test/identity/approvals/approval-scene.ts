import { type ElevationSettings, elevationSettings, type NewTask } from '../../../src/directory/elevations/index.ts';
import { elevationSettingsRecords, settingsId } from '../../../src/directory/elevations/settings/settings.ts';
import { agentRecords } from '../../../src/directory/records/index.ts';
import type { Page } from '../../browser/page.ts';
import { Scene } from '../../directory/elevations/scene.ts';
import { again, type Visitor } from '../account/account-world.ts';
import type { SignInSite, SignInWorld } from '../signin/world.ts';

/** An organization with an agent that asks, and people at its pages who decide. */
export class ApprovalScene {
  readonly site: SignInSite;
  readonly scene: Scene;
  readonly agentId: string;

  private constructor(site: SignInSite, scene: Scene, agentId: string) {
    this.site = site;
    this.scene = scene;
    this.agentId = agentId;
  }

  static async in(world: SignInWorld, agentName = 'Night shift'): Promise<ApprovalScene> {
    const site = await world.organization();
    const scene = await Scene.in(site.provider.organization);
    return new ApprovalScene(site, scene, await scene.agent(agentName));
  }

  /** Somebody who is signed in and holds these permissions. */
  async person(...permissions: string[]): Promise<Visitor> {
    const person = await this.site.person();
    await this.scene.grant(person, ...permissions);
    return again(this.site, person);
  }

  /** Somebody who is signed in and can lend whatever the agent asks for. */
  approver(): Promise<Visitor> {
    return this.person('jit.approve', 'docs:read', 'docs:write', 'db:write');
  }

  /** The agent asks. Answers the id of the task. */
  async ask(body: Partial<NewTask> = {}): Promise<string> {
    return (await this.scene.ask(this.scene.caller(this.agentId), body)).id;
  }

  /** The agent asks in the name of somebody who has delegated to it. */
  async askFor({ person }: Visitor, body: Partial<NewTask> = {}): Promise<string> {
    const delegation = await this.scene.delegation(this.agentId, person);
    return (await this.scene.ask(this.scene.caller(this.agentId, delegation), body)).id;
  }

  pathOf(id: string): string {
    return `${this.site.base}/approvals/${id}`;
  }

  open({ browser }: Visitor, id: string): Promise<Page> {
    return browser.open(this.pathOf(id));
  }

  /** As administrators do it. */
  async deactivate(): Promise<void> {
    const { service } = this.site.provider;
    const entry = service.read(() => agentRecords.get(this.scene.store, this.agentId));
    if (entry === undefined) throw new Error('the agent is gone');
    await service.submit([agentRecords.put(this.scene.store, entry.id, { ...entry.document, isActive: false })]);
  }

  /** What administrators decide about elevations, as far as it is given. */
  async settings(given: Partial<ElevationSettings>): Promise<void> {
    const { store } = this.scene;
    const { service } = this.site.provider;
    const document = { ...service.read(() => elevationSettings(store)), ...given };
    await service.submit([elevationSettingsRecords.put(store, settingsId, document)]);
  }

  /** Time passes. */
  pass(seconds: number): void {
    this.site.provider.service.clock.advance(seconds * 1000);
  }
}
