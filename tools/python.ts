/** Programs in Python, each in a virtual environment of its own with pinned packages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache.ts';
import { run } from './shell.ts';

/**
 * The folder of the environment, made once for each version: its programs are in `bin`.
 * @param requirements a file with `name==version` and all that it needs, as `pip freeze` writes it
 * @throws Error when the file has another version
 * @throws {CommandError} when it cannot be made
 */
export async function pythonProgram(name: string, version: string, requirements: string): Promise<string> {
  if (!readFileSync(requirements, 'utf8').includes(`${name}==${version}\n`))
    throw new Error(`${requirements} has another version of ${name} than ${version}`);
  return cached(`${name}-${version}`, async (to) => {
    await run({ command: 'python3', args: ['-m', 'venv', to] });
    await run({
      command: join(to, 'bin', 'python'),
      args: ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements],
    });
  });
}
