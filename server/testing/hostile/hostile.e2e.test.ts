/** Some cases of each kind, those that take no patience; `node tools/run.js server/testing/hostile/main` does all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attack } from './attack.ts';
import type { Kind } from './case.ts';
import { type GoodClient, startGoodClient } from './good-client.ts';
import { kindsFor } from './kinds/index.ts';
import { type AttackedServer, startServerToAttack, TOKEN } from './server.ts';

/** Of each kind, spread over its cases. */
const CASES = 8;
const FILES = 300;

function some({ cases, ...kind }: Kind): Kind {
  const short = cases.filter((one) => !one.long);
  const step = Math.max(1, Math.floor(short.length / CASES));
  return { ...kind, cases: short.filter((_, index) => index % step === 0).slice(0, CASES) };
}

let attacked: AttackedServer;
let good: GoodClient;
beforeAll(async () => {
  attacked = await startServerToAttack();
  good = await startGoodClient(attacked);
});
afterAll(async () => {
  await good.stop();
  await attacked.close();
});

test('withstands some of each kind', async () => {
  const kinds = kindsFor(attacked, { seed: 1, rounds: 64, openFiles: FILES });
  expect(kinds.length).toBeGreaterThan(10);
  for (const kind of kinds) {
    const outcome = await attack(
      some(kind),
      attacked,
      { port: attacked.port, token: TOKEN, rounds: 64, openFiles: FILES },
      good,
    );
    expect([kind.name, outcome.cases > 0, outcome.problems]).toEqual([kind.name, true, []]);
  }
});
