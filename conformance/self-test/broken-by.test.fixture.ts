/** What fails in a run of some requirements at the extended level. */
import { expect } from 'vitest';
import { isBroken } from '../engine/run/verdict.ts';
import { OPEN, type Service, type Tokens } from './service.ts';
import { run } from './test-bed.ts';

/** The ids of the requirements that fail: that of `id`, and those whose ids begin with it. */
export async function brokenBy(
  service: Service,
  id: string,
  tokens: Tokens = OPEN,
): Promise<string[]> {
  const options = { seed: 1, level: 'extended', ...tokens, only: [id] } as const;
  const { requirements } = await run(service, options);
  expect(requirements.map((one) => one.id)).toContain(id);
  return requirements.filter(isBroken).map((one) => one.id);
}
