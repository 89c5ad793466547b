import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { newPerson, type Person } from '../protocols/oauth/signing-in.ts';
import { BrowserWorld } from './browser-world.ts';
import { chromiumMissing, looksOf } from './chromium.ts';

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));

let world: BrowserWorld;
let party: RelyingParty;
let person: Person;

beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  world = await BrowserWorld.start('looks');
  await world.set('/admin/settings/auth', {
    login_flow: { magic_link_enabled: true },
    registration: { signup_enabled: true },
  });
  await world.set('/admin/settings/branding', {
    welcome_text: 'Welcome to the house of relations.',
    footer_text: 'Questions? Ask the help desk.',
    primary_color: '#b91c1c',
    custom_html: '<p><a href="https://app.example/help">Help</a></p>',
  });
  party = await RelyingParty.register(world.provider, {
    name: 'An application with a rather long name of its own',
    clientUri: 'https://app.example/',
    policyUri: 'https://app.example/privacy',
    tosUri: 'https://app.example/terms',
  });
  person = await newPerson(world.provider, {
    email: 'somebody.with.a.very.long.address.that.goes.on.and.on@a-long-name-of-a-company.example.com',
    name: 'Wolfeschlegelsteinhausenbergerdorff Hubert Blaine',
  });
});
afterAll(() => world?.stop());

/** Paths below the issuer, after signing in. */
const rooms = [
  '',
  '/profile',
  '/email',
  '/security',
  '/password',
  '/factors',
  '/sessions',
  '/applications',
  '/identities',
  '/agents',
  '/approvals',
];

// the pages of sign-in itself are looked at in pages/
describe.each(looksOf('dark'))('consent, account, device and sign-out, %s', (look) => {
  test('can be read, fits and breaks no rule of accessibility', async () => {
    const visitor = await world.visitor(look);
    const { page } = visitor;
    await page.goto(
      (await party.begin({ scope: 'openid profile email phone offline_access', prompt: 'consent' })).url.href,
    );
    await visitor.inspect('branded-signin');
    await visitor.signIn(person);
    await visitor.sees(/An application/);
    await visitor.inspect('branded-consent');
    for (const room of rooms) {
      await page.goto(`${world.issuer}/account${room}`);
      await visitor.inspect(`account${room.replace('/', '-')}`);
    }
    await page.goto(`${world.issuer}/account/factors/add?method=totp`);
    await visitor.inspect('account-totp');
    await page.goto(`${world.issuer}/device`);
    await visitor.inspect('device');
    await page.goto(`${world.issuer}/signout`);
    await visitor.inspect('signout');
    await visitor.close();
  }, 90_000);
});
