import type { FetchLike } from '@modelcontextprotocol/client';
import { agentRecords, mintAgentKey } from '../../../src/directory/records/index.ts';
import { Scene } from '../../directory/elevations/scene.ts';
import { AuthorizeWorld } from '../../protocols/oauth/authorize/world.ts';
import { baseUrl, type ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { fetchOf } from '../../protocols/oauth/relying-party.ts';

/** An organization that speaks the Model Context Protocol, as its clients reach it. */
export class McpWorld {
  readonly oauth: AuthorizeWorld;
  readonly elevations: Scene;

  private constructor(oauth: AuthorizeWorld, elevations: Scene) {
    this.oauth = oauth;
    this.elevations = elevations;
  }

  static async open(first: ClockedProvider): Promise<McpWorld> {
    const oauth = await AuthorizeWorld.open(first);
    return new McpWorld(oauth, await Scene.in(oauth.provider.organization));
  }

  get url(): URL {
    return new URL(`${baseUrl}/t/${this.oauth.provider.organization.organization.slug}/api/v1/mcp`);
  }

  /** Reaches the service where it listens. */
  get fetch(): FetchLike {
    const there = fetchOf(this.oauth.provider);
    return (address, init) => there(String(address), init ?? {});
  }

  /** An agent with a key, and an access token of its own for this protocol alone. */
  async agent(): Promise<{ readonly id: string; readonly token: string }> {
    const { org } = this.elevations;
    const id = await this.elevations.agent();
    const minted = mintAgentKey();
    const before = org.service.read(() => agentRecords.get(org.organization.store, id))?.document;
    if (before === undefined) throw new Error('there is no agent');
    await org.service.submit([agentRecords.put(org.organization.store, id, { ...before, ...minted.kept })]);
    const answer = await this.oauth.provider.form('token', {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: minted.key,
      resource: this.url.href,
    });
    return { id, token: answer.text('access_token') };
  }

  /** The plain HTTP of one request. */
  async post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return await this.fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}
