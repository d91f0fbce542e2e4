/** The values of `--restart`. */
import { describe, expect, it } from 'vitest';
import { folderWith } from './testing/folder.ts';
import { reportOf, suite } from './testing/suite.ts';

it('a service that was never there is not started', async () => {
  const { code, report } = await reportOf('http://127.0.0.1:1 --restart "exit 0"');
  expect([code, report.findings]).toEqual([2, []]);
});

describe('--restart', () => {
  it.each([
    ['--restart " "', /--restart must be a command of the shell, such as "systemctl restart x"$/m],
    ['--restart', /--restart needs a value/],
  ])('%s is refused in one line', async (line, message) => {
    const { code, stderr } = await suite(`http://127.0.0.1:1 ${line}`);
    expect(stderr).toMatch(message);
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.anything()]]);
  });

  it.each([
    [{ restart: true }, /restart must be a text$/m],
    [{ restart: ['a', 'b'] }, /restart takes one value$/m],
    [{ restart: ' ' }, /--restart must be a command of the shell/],
  ])('in a config file must be a command: %j', async (config, message) => {
    using folder = folderWith({ f: JSON.stringify(config) });
    const { code, stderr } = await suite(`http://127.0.0.1:1 --config ${folder.file('f')}`);
    expect(stderr).toMatch(message);
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.anything()]]);
  });
});
