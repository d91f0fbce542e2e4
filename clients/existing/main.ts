/**
 * Public clients of an API of this form, each pointed at the reference server by its base URL alone:
 *
 *     node tools/run.js clients/existing/main
 *
 * Each creates, reads, lists, changes and deletes an edge with a route and modules, and an event source. What it prints is
 * held against `expected.txt` beside it; docs/existing-clients.md says what works and what does not. Exits with 0 when all
 * passed, with 1 when one failed or, where `CI` is set, could not be tried, with 2 when none could be tried.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonProgram } from '../../tools/python.ts';
import { CommandError, missing, run, type Step } from '../../tools/shell.ts';
import { packageFolder } from '../command/languages.ts';
import { withServer } from '../round-trip/server.ts';

interface ExistingClient {
  name: string;
  needs: readonly string[];
  /** The program, built in a copy of its folder. */
  program(folder: string): Promise<Step>;
}

const sources = join(packageFolder, 'clients', 'existing');

const CLIENTS: readonly ExistingClient[] = [
  {
    name: 'go',
    needs: ['go'],
    async program(folder) {
      const command = join(folder, 'example');
      await run({ command: 'go', args: ['build', '-o', command, '.'], cwd: folder });
      return { command, args: [] };
    },
  },
  {
    name: 'python',
    needs: ['python3'],
    async program(folder) {
      const environment = await pythonProgram('ngrok-api', '0.19.0', join(folder, 'requirements.txt'));
      return { command: join(environment, 'bin', 'python'), args: [join(folder, 'example.py')] };
    },
  },
];

/** What is wrong; undefined where nothing is. @throws {CommandError} */
async function tried({ name, program }: ExistingClient): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), `edge-existing-${name}-`));
  try {
    cpSync(join(sources, name), folder, { recursive: true });
    const step = await program(folder);
    const { stdout } = await withServer(({ url, token }) =>
      run({ ...step, env: { EDGE_URL: url, EDGE_TOKEN: token } }),
    );
    const expected = readFileSync(join(folder, 'expected.txt'), 'utf8');
    return stdout === expected ? undefined : `expected\n${expected}\nprinted\n${stdout}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const count = { passed: 0, failed: 0, skipped: 0 };
for (const client of CLIENTS) {
  const absent = missing(client.needs);
  const unable = absent.length > 0 ? `${absent.join(', ')} not installed` : undefined;
  const wrong =
    unable ??
    (await tried(client).catch((error: unknown) => {
      if (error instanceof CommandError) return error.message;
      throw error;
    }));
  const result = wrong === undefined ? 'passed' : unable === undefined || process.env['CI'] ? 'failed' : 'skipped';
  count[result]++;
  process.stdout.write(`${client.name}: ${result}${wrong === undefined ? '' : `\n${wrong}`}\n`);
}
process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
process.exitCode = count.failed > 0 ? 1 : count.passed > 0 ? 0 : 2;
