/**
 * Options that have a meaning for one contract and not for another, and options that choose
 * operations.
 */
import { expect, it } from 'vitest';
import type { Document } from './testing/contracts.ts';
import { folderWith } from './testing/folder.ts';
import { starsContract } from './testing/stars.ts';
import { suite } from './testing/suite.ts';

function folderWithStars(contract: Document = starsContract()) {
  return folderWith({ 'stars.json': JSON.stringify(contract) });
}

it.each([
  [
    '--token a',
    /--token cannot be used: the security scheme key \(mutualTLS\) does not take a token/,
  ],
  ['--path /nowhere --tag a', /the contract has no operation for --path \/nowhere --tag a/],
  ['--only add.201 --method get', /--only names nothing of what --path/],
  ['--event-type a.v0', /--event-type has a meaning for the contract of this package only/],
  ['--data "{bodies: {ad: 1}}"', /no operation has ad among its bodies/],
])('%s is refused', async (line, message) => {
  const contract = starsContract({ type: 'mutualTLS' });
  contract.paths['/inside/door'].get.security = [{ key: [] }];
  using folder = folderWithStars(contract);
  const service = `http://127.0.0.1:9 --contract ${folder.file('stars.json')}`;
  const { code, stderr } = await suite(`${service} ${line}`);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

it.each([
  ['--path /*', /^(list|add)\./],
  ['--path /**r --path /nothing', /^look\./],
  ['--method post', /^add\./],
  ['--tag read* --method get', /^list\./],
  ['--tag reading --only list.4', /^list\.4/],
])('%s chooses operations', async (line, ids) => {
  using folder = folderWithStars();
  const list = `--list --format json --contract ${folder.file('stars.json')}`;
  const { stdout } = await suite(`${list} ${line}`);
  const listed = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.filter((id) => !ids.test(id))).toEqual([]);
});
