/**
 * Kills the built service again and again while it sends events to webhooks, and looks at what arrived:
 *
 *     npm run test:long deliveries [kills = 200] [events = 10000]
 *
 * The exit code is 1 where an event did not arrive, came in another order than it happened (first arrivals), or changed
 * its id.
 */
import { killWhileDelivering } from '../delivery/dispatch/kill-while-delivering.ts';

const [kills = '200', events = '10000'] = process.argv.slice(2);
const began = performance.now();
const { made, arrived, repeated, idsOfOne } = await killWhileDelivering(Number(kills), Number(events));
const wrong = arrived.filter((users) => users.join() !== made.join()).length;
const seconds = Math.round((performance.now() - began) / 1000);
console.log(`${kills} kills, ${made.length} events to ${arrived.length} webhooks, ${repeated} repeated, ${seconds} s`);
console.log(`${wrong} webhooks with events that are missing or in another order, ${idsOfOne} ids of one event`);
process.exitCode = wrong > 0 || idsOfOne > 1 ? 1 : 0;
