import { describe, expect, it } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { TestBed } from '../test-bed.ts';
import { SERVICES } from './index.ts';
import { SETTINGS, tryService } from './run.ts';

/** One run of each service for each seed, the settings in turn. */
export function testServices(names: readonly string[], seeds: number, runs: number, setting = ''): void {
  const first = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 30));
  const settings = SETTINGS.filter(({ name }) => name.includes(setting));
  const bed = new TestBed(loadContract());

  describe(`the suite passes services that keep the contract (SEED=${first})`, () => {
    for (const [index, name] of names.entries()) {
      it.each(
        Array.from(
          { length: seeds },
          (_, turn) => [first + turn, settings[(index + turn) % settings.length]!] as const,
        ),
      )(
        `${name}, seed %i`,
        async (seed, one) => {
          const { alarms, report } = await tryService(bed, name, seed, one, runs);
          expect(alarms, `SEED=${seed}, ${one.name}`).toEqual([]);
          expect(report.summary.pass).toBeGreaterThan(100);
        },
        600_000,
      );
    }
  });
}

export const NAMES = Object.keys(SERVICES);
