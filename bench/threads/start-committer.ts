import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CommitterReport, CommitterSettings } from './committer.ts';

export interface CommitterThread {
  /** Ends the thread when it has taken back what it wrote. */
  stop(): Promise<CommitterReport>;
}

export async function startCommitter(settings: CommitterSettings): Promise<CommitterThread> {
  const worker = new Worker(new URL('./committer.js', import.meta.url), {
    workerData: settings,
    transferList: [settings.port],
  });
  const report = new Promise<CommitterReport>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  report.catch(() => {}); // told by `stop`, which may be called long after
  await once(worker, 'online');
  return {
    async stop() {
      const exited = once(worker, 'exit');
      worker.postMessage('stop');
      const result = await report;
      await exited;
      return result;
    },
  };
}
