import { InProcessService } from '../identity/sessions/in-process-service.ts';
import { type Contract, contractOf } from './contract.ts';

/** Of the service as its sources stand. */
export async function makeContract(): Promise<Contract> {
  const service = await InProcessService.start();
  try {
    return contractOf(service.endpoints);
  } finally {
    await service.stop();
  }
}
