import { expect, it } from 'vitest';
import { type Options, readOptions } from './options.ts';
import { replayCommand } from './replay-command.ts';

const URL = 'http://127.0.0.1:9';

function commandFor(line: string, env: Record<string, string> = {}): string {
  const options = readOptions([URL, ...line.split(' ')], env) as Options;
  return replayCommand(options, 'a@0.1.0');
}

it.each([
  ['--data {a:secret}', "--data '…'"],
  ['--auth b=secret', "--auth 'b=…'"],
  ['--proxy http://me:secret@p:1', "--proxy 'http://…@p:1'"],
  ['--header X-Key:secret', "--header 'x-key: …'"],
])('%s is shown without its secret', (line, shown) => {
  expect(commandFor(line)).toBe(`npx @edge-contract/conformance ${URL} ${shown} --replay a@0.1.0`);
});

it.each([
  '--cert c --key k --ca a --proxy http://p:1 --server-variable v=2',
  '--level core --origin source',
  '--subscription-id s --event-type a.v0 --hostport-domain a.b --certificate-authority-id ca',
])('it has what a case depends on: %s', (line) => {
  expect(commandFor(line)).toBe(`npx @edge-contract/conformance ${URL} ${line} --replay a@0.1.0`);
});

it('tokens come from the environment', () => {
  const env = { CONFORMANCE_TOKEN: 'secret', CONFORMANCE_READ_ONLY_TOKEN: 'secret-reader' };
  const tokens = 'CONFORMANCE_TOKEN=… CONFORMANCE_READ_ONLY_TOKEN=…';
  const command = `npx @edge-contract/conformance ${URL} --level core --replay a@0.1.0`;
  expect(commandFor('--level core', env)).toBe(`${tokens} ${command}`);
});
