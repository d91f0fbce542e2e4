import { describe, expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { alarmsIn, runOnCorrect, type Setting } from './no-false-alarm.ts';
import { TestBed } from './test-bed.ts';

/** The independent service passes a whole run of each setting. */
export function testNoFalseAlarm(settings: readonly Setting[]): void {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 30));
  const bed = new TestBed(loadContract());

  describe(`the independent service passes the whole suite (SEED=${seed})`, () => {
    it.each(settings.map((setting) => [setting.name, setting] as const))(
      '%s',
      async (_, setting) => {
        console.log(`no false alarm, ${setting.name}: SEED=${seed}`);
        const report = await runOnCorrect(bed, seed, setting);
        expect(alarmsIn(report, setting), `SEED=${seed}`).toEqual([]);
        expect(report.summary.pass).toBeGreaterThan(0);
      },
      300_000,
    );
  });
}
