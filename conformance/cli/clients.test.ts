/** A run waits for the service, finds its base URL, and keeps the rate of requests. */
import { expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { apiFor } from './choose-api.ts';
import { clientsFor } from './clients.ts';
import { type Options, readOptions } from './options.ts';
import { folderWith } from './testing/folder.ts';
import { implementation, respondWith } from './testing/services.ts';
import { starsContract, starsService } from './testing/stars.ts';
import { reportOf } from './testing/suite.ts';

it('a run waits until the service responds, not a gateway, and finds its base URL', async () => {
  using folder = folderWith({ 'stars.json': JSON.stringify(starsContract()) });
  // Undefined: the connection ends. So many times 504 that a run would not get over it.
  const outcomes = [undefined, 502, 503, 504, 504, 504, 504, 504, 504];
  await using served = await implementation((request) => {
    if (outcomes.length > 0) {
      const status = outcomes.shift();
      if (status === undefined) {
        throw new Error('not yet');
      }
      return Promise.resolve(respondWith(status));
    }
    // The variables of the server of the contract say `/v2`.
    const target = request.target.replace(/^\/v2\//, '/');
    return starsService(() => target !== request.target)({ ...request, target });
  });
  const line = `${served.url} --contract ${folder.file('stars.json')} --token abc --only list.200`;
  const { report } = await reportOf(`${line} --wait 60`);
  expect([report.verdict, outcomes]).toEqual(['conformant', []]);
});

it('each job has its part of --rate', async () => {
  await using served = await implementation(() => Promise.resolve(respondWith(200)));
  const line = `${served.url} --rate 20 --jobs 4`;
  const options = readOptions(line.split(' '), {}) as Options;
  const contract = loadContract();
  const chosen = await apiFor(contract, options, '.');
  const client = clientsFor(options, contract, chosen, '.')(served.url, { headers: {} });
  const began = performance.now();
  for (let sent = 0; sent < 3; sent++) {
    await client.send({ method: 'GET', target: '/' });
  }
  client.close();
  // Five a second: the second and the third wait for 200 ms each.
  expect(performance.now() - began).toBeGreaterThan(390);
});
