/**
 * A job of the delivery thread that ends its thread by an error which nothing catches, once for each line that a file
 * gets: `node --import` runs this file before the entries of a built service.
 */
import { existsSync, readFileSync } from 'node:fs';
import { webhookRecords } from '../../../dist/src/delivery/webhooks/records/webhook-record.js';
import { modules } from '../../../dist/src/server/modules.js';

const file = process.env.RELATA_TEST_DEATHS;
const deaths = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length : 0);

modules.push({
  name: 'deaths',
  jobs: [
    {
      name: 'deaths',
      runs: 'in the cluster',
      thread: 'delivery',
      for: [webhookRecords],
      start() {
        const before = deaths();
        const looking = setInterval(() => {
          if (deaths() > before) throw new Error('it dies');
        }, 5);
        return { stop: async () => clearInterval(looking) };
      },
    },
  ],
});
