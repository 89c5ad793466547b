import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionState } from '../../../../src/protocols/oauth/check-session/session-state.ts';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { baseUrl, LogoutWorld } from './logout-world.ts';

let service: InProcessService;
let world: LogoutWorld;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_BASE_URL: baseUrl });
  world = await LogoutWorld.open(service, 'framed');
});
afterAll(async () => {
  await world.close();
  await service.stop();
});

const page = (referer?: string) =>
  service.call('GET', `/orgs/${world.org.organization.slug}/api/v1/oauth/check_session`, {
    headers: referer === undefined ? {} : { referer },
  });

function ancestorsOf(headers: Headers): string {
  return /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
}

describe('the page of check_session', () => {
  test('is held by nobody where there is no client, and by no others than those of clients', async () => {
    expect(ancestorsOf((await page()).headers)).toBe("'none'");
    await world.client({
      redirectUris: ['https://one.example/cb', 'https://one.example/other'],
      backchannelLogoutUri: null,
    });
    await world.client({ redirectUris: ['https://two.example:8443/cb'], backchannelLogoutUri: null });
    const off = await world.client({ redirectUris: ['https://off.example/cb'], backchannelLogoutUri: null });
    await world.org.tenant('PATCH', `/admin/clients/${off}`, { body: { isActive: false } });
    await world.client({ redirectUris: ['com.example.app:/cb'], type: 'public', backchannelLogoutUri: null });
    service.clock.advance(11_000);
    expect(ancestorsOf((await page()).headers)).toBe('https://one.example https://two.example:8443');
    expect(ancestorsOf((await page('https://one.example/')).headers)).toBe('https://one.example');
    for (const referer of [
      'https://evil.example/',
      'https://one.example.evil.example/',
      'https://off.example/',
      'nonsense',
      'data:text/html,x',
    ]) {
      expect([referer, ancestorsOf((await page(referer)).headers)]).toEqual([referer, "'none'"]);
    }
  });

  test('runs its own script alone, and sends nothing', async () => {
    const { headers, body } = await page();
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(String(body)) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = headers.get('content-security-policy') ?? '';
    expect(
      policy.startsWith(`default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none';`),
    ).toBe(true);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is not there for an organization that is not', async () => {
    expect((await service.call('GET', '/orgs/nobody/api/v1/oauth/check_session')).status).toBe(404);
  });
});

describe('session_state', () => {
  const of = { clientId: 'client', redirectUri: 'https://one.example/cb?x=1', opState: 'state' };

  test('is a hash over client, origin, state of the browser and salt, and the salt', () => {
    const [hash, salt] = (sessionState(of) ?? '').split('.');
    const expected = createHash('sha256').update(`client https://one.example state ${salt}`).digest('base64url');
    expect(hash).toBe(expected);
    expect(sessionState(of)).not.toBe(sessionState(of));
    expect(sessionState(of)).not.toContain(' ');
  });

  test('is none for an application without an origin', () => {
    expect(sessionState({ ...of, redirectUri: 'com.example.app:/cb' })).toBeUndefined();
  });
});
