import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Fault } from '../fault.ts';
import { openWriter, type WriterSettings } from '../store/open-writer.ts';
import { LocalLog } from './local-log.ts';
import { servePort } from './serve-port.ts';

/** What the thread that started the writer sends it. */
export type WriterRequest =
  | { readonly kind: 'connect'; readonly port: MessagePort }
  | { readonly kind: 'backup'; readonly folder: string }
  | { readonly kind: 'close' };

/** Its answers and its notices. */
export type WriterReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'backed_up'; readonly error?: string }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'closed' };

/** After a batch that could not be stored, the writer tries by itself whether it can store again. */
const PROBE_MS = 1000;

/** Entry of the writer's thread. */
if (parentPort !== null && (workerData as { role?: string } | null)?.role === 'writer') {
  const parent = parentPort;
  const reply = (message: WriterReply): void => parent.postMessage(message);
  const { settings } = workerData as { readonly settings: WriterSettings };
  const opened = openWriter(settings, (fault) => reply({ kind: 'fault', fault }));
  const log = new LocalLog(opened.writer);
  const probing = setInterval(() => opened.probe(), PROBE_MS);
  parent.on('message', async (request: WriterRequest) => {
    switch (request.kind) {
      case 'connect':
        return servePort(request.port, log);
      case 'backup':
        try {
          await opened.backup(request.folder);
          return reply({ kind: 'backed_up' });
        } catch (error) {
          return reply({ kind: 'backed_up', error: String(error) });
        }
      case 'close':
        clearInterval(probing);
        await log.close();
        await opened.close();
        reply({ kind: 'closed' });
        parent.close();
    }
  });
  reply({ kind: 'ready' });
}
