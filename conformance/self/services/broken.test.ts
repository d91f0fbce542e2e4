/** Each broken service is found, by the requirement that it names; the service behind it passes the same requirements. */
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { createIndependentService } from '../independent/index.ts';
import { TestBed } from '../test-bed.ts';
import { BROKEN } from './broken.ts';

const bed = new TestBed(loadContract());

describe('a service is found that breaks one sentence', () => {
  test.for(BROKEN.map((one) => [one.breaks, one] as const))(
    '%s',
    async ([, { foundBy, level = 'core', origin = 'all', tokens, service }]) => {
      const options = { seed: 1, only: [foundBy], level, origin, shrink: false, ...tokens };
      const report = await bed.run(service(createIndependentService(tokens)), options);
      const status = report.requirements.find(({ id }) => id === foundBy)?.status;
      expect(status).toBe('fail');
    },
  );
});
