/** What a person sees: a bar on a terminal, plain lines elsewhere. */
import { describe, expect, it } from 'vitest';
import { suite } from './suite.ts';
import { implementation, wrongDescription } from './services.ts';

const ARGS = ['--only', 'edges.location', '--only', 'edges.read-your-write', '--runs', '3', '--seed', '1'];

describe('on a terminal', () => {
  it('draws a bar that ends full and is wiped', async () => {
    await using served = await implementation();
    const { code, stdout } = await suite([served.url, ...ARGS], { columns: 100 });
    expect(code).toBe(0);
    const bars = stdout.match(/[█░]{24} \d+\/\d+ {2}\d+ cases {2}\d+ broken/gu) ?? [];
    expect(bars.length).toBeGreaterThan(2);
    expect(bars.at(-1)).toMatch(/^█{24} 2\/2 {2}/u);
    // eslint-disable-next-line no-control-regex
    expect(stdout.slice(stdout.lastIndexOf('█'))).toMatch(/^[^\n]*\r\u001B\[2K/u);
    expect(stdout).not.toMatch(/^pass /m);
    expect(stdout).toContain('\u001B[32m');
    expect(stdout).toMatch(/Conformant/);
  });

  it('shows a failure in a line while it runs, and whole at its end, within its columns', async () => {
    await using served = await implementation(wrongDescription);
    const { code, stdout } = await suite([served.url, ...ARGS], { columns: 100 });
    expect(code).toBe(1);
    expect(stdout).toContain('edges.read-your-write');
    expect(stdout).toContain('1 failed');
    const line = stdout.indexOf('✗ edges.read-your-write: Reading an edge gives');
    expect(line).toBeGreaterThan(0);
    expect(stdout.indexOf('█', line)).toBeGreaterThan(line);
    expect(stdout.indexOf('│')).toBeGreaterThan(stdout.lastIndexOf('█'));
    expect(stdout).toMatch(/expected[^\n]*│[^\n]*got/u);
    const narrow = await suite([served.url, ...ARGS], { columns: 60 });
    expect(narrow.stdout).not.toMatch(/expected[^\n]*│[^\n]*got/u);
    expect(narrow.stdout).toMatch(/expected/);
  });

  it('shows what is under way before anything is done', async () => {
    await using served = await implementation();
    const { stdout } = await suite([served.url, ...ARGS], { columns: 100 });
    expect(stdout).toContain('looking at the service');
    // eslint-disable-next-line no-control-regex
    expect(stdout).toMatch(/0\/2 {2}0 cases {2}0 broken {2}edges\.\S+\r\u001B\[2K/u);
  });

  it('has no colour with NO_COLOR', async () => {
    await using served = await implementation();
    const { stdout } = await suite([served.url, ...ARGS], { columns: 100, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/█/u);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\u001B\[\d*m/);
  });
});

describe('elsewhere', () => {
  it('prints a line for each requirement, and no control characters', async () => {
    await using served = await implementation();
    const { stdout } = await suite([served.url, ...ARGS]);
    expect(stdout).toMatch(/^pass +edges\.location {2}\d+ cases$/m);
    expect(stdout).toMatch(/^pass +edges\.read-your-write {2}\d+ cases$/m);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
