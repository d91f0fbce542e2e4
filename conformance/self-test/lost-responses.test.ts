/** The survey finds the same ways to the operations, whichever response of the service is lost. */
import { expect, test } from 'vitest';
import { suite } from '../cli/testing/suite.ts';
import { createIndependentService } from './independent/index.ts';
import { refusal } from './services/kind.ts';
import { OPEN, serve, type Service } from './service.ts';
import { run } from './test-bed.ts';

/** A part of the survey of an operation. */
interface Surveyed {
  operation: string;
  outcome: string;
  how?: string;
}

interface Survey {
  /** Each operation, with its outcome and how it was reached. */
  ways: string[];
  requests: number;
}

/** @param isLost of the request with this number */
async function surveyOf(
  isLost: (number: number) => boolean,
  lose: (next: Service) => Service = (next) => next,
): Promise<Survey> {
  const next = createIndependentService();
  const lost = lose(next);
  let requests = 0;
  const served = await serve((request) => (isLost(requests++) ? lost(request) : next(request)));
  const command = `${served.url} --survey --format json --seed 1`;
  const { stdout } = await suite(command).finally(served.close);
  const surveyed = JSON.parse(stdout) as Surveyed[];
  const ways = surveyed.map(({ operation, outcome, how }) => `${operation}: ${outcome}, ${how}`);
  return { ways, requests };
}

/** The request has its effect, and a gateway responds that the service is away. */
const losing =
  (isCarriedOut: boolean) =>
  (next: Service): Service =>
  async (request) => {
    if (isCarriedOut) {
      await next(request);
    }
    return refusal(503, request, { headers: { 'retry-after': '0' } });
  };

test.each([
  ['was carried out', true],
  ['was not carried out', false],
])('a lost response changes no way, if the request %s', async (_, isCarriedOut) => {
  const { ways, requests } = await surveyOf(() => false);
  expect(requests).toBeGreaterThan(5);
  for (let number = 0; number < requests; number++) {
    const survey = await surveyOf((one) => one === number, losing(isCarriedOut));
    expect(survey.ways, `response ${number} is lost`).toEqual(ways);
  }
});

test('of creations at once, those without a response are left out', async () => {
  const next = createIndependentService(OPEN);
  let creations = 0;
  const service: Service = async (request) => {
    const response = await next(request);
    if (request.method === 'POST') {
      creations++;
    }
    if (request.method === 'POST' && creations % 5 === 0) {
      throw new Error('the connection is closed without a response');
    }
    return response;
  };
  const { requirements } = await run(service, { seed: 1, only: ['edges.ids-unique'] });
  expect(requirements.map(({ id, status }) => [id, status])).toEqual([
    ['edges.ids-unique', 'pass'],
  ]);
});
