import { dump } from 'js-yaml';
import { expect, it } from 'vitest';
import { type Options, readOptions } from './options.ts';
import { folderWith } from './testing/folder.ts';

function read(args: string[], env: Record<string, string>, cwd: string): Options {
  return readOptions(args, env, cwd) as Options;
}

it('options are in a file, unless the command line has them', () => {
  const config = {
    url: 'http://a',
    header: ['X: 1'],
    only: 'a',
    skip: ['b=why'],
    bail: true,
    seed: 7,
  };
  using folder = folderWith({ f: dump(config) });
  const args = ['--config', 'f', '--seed', '8', '--only', 'c'];
  expect(read(args, {}, folder.path)).toMatchObject({
    url: 'http://a',
    headers: { x: '1' },
    only: ['c'],
    skip: [{ pattern: 'b', reason: 'why' }],
    bail: true,
    seed: 8,
  });
});

it('conformance.yaml is read by itself, with values of the environment and a map of data', () => {
  const config = {
    url: 'http://${HOST}',
    auth: ['a=${B}c'],
    data: { credentials: { k: 'env:B', a: 'b' }, bodies: { add: { n: 1, t: '${B}' } } },
  };
  using folder = folderWith({ 'conformance.yaml': dump(config) });
  expect(read([], { HOST: 'h', B: 'b' }, folder.path)).toMatchObject({
    url: 'http://h',
    // --auth overrides the credentials of the map.
    auth: { k: 'b', a: 'bc' },
    dataMap: { bodies: { add: { n: 1, t: 'b' } } },
  });
});
