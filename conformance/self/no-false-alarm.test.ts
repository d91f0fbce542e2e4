import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { TestBed } from './test-bed.ts';
import { alarmsIn, judgeCorrect, SETTINGS } from './no-false-alarm.ts';

const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 2 ** 30));
const bed = new TestBed(loadContract());

describe(`the independent service passes the whole suite (FAULT_SEED=${seed})`, () => {
  it.each(SETTINGS.map((setting) => [setting.name, setting] as const))(
    '%s',
    async (_, setting) => {
      const report = await judgeCorrect(bed, seed, setting);
      expect(alarmsIn(report, setting), `FAULT_SEED=${seed}`).toEqual([]);
      expect(report.summary.pass).toBeGreaterThan(0);
    },
    300_000,
  );
});
