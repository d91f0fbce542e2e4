/** `npm run client -- LANGUAGE OUT-DIR`, apart from the process that runs it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clientFolder } from '../folders.ts';
import type { Language } from './languages.ts';
import type { Report } from './progress.ts';
import { CommandError, missing } from '../../tools/shell.ts';

function help(languages: readonly Language[]): string {
  const lines = languages.map((language) => `  ${language.name.padEnd(12)}${summaryOf(language)}`);
  const template = readFileSync(join(clientFolder('command'), 'help.txt'), 'utf8');
  return template.replace('{{languages}}', lines.join('\n'));
}

function summaryOf({ generator, version, toGenerate }: Language): string {
  if (toGenerate.length === 0) {
    return 'nothing to make: npm pack --workspace @edge-contract/client, npm install the tarball';
  }
  return `${generator} ${version}; needs ${toGenerate.join(' and ')}`;
}

export interface Options {
  /** Where programs are looked for. Default: the PATH of this process. */
  path?: string;
  /** The folder that a relative OUT-DIR begins at. Default: that of this process. */
  cwd?: string;
  /** Is told each step that takes long. */
  report?: Report;
}

/** @returns what to print. @throws {CommandError} with a line for the user. */
export async function client(
  args: readonly string[],
  languages: readonly Language[],
  { path, report, cwd = process.cwd() }: Options = {},
): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) {
    return help(languages);
  }
  const names = languages.map((one) => one.name).join(', ');
  const [name, out, ...more] = args;
  if (name === undefined) {
    throw new CommandError(`say which language: ${names} (--help tells more)`);
  }
  const language = languages.find((one) => one.name === name);
  if (!language) {
    throw new CommandError(`unknown language '${name}': it is one of ${names}`);
  }
  if (language.toGenerate.length === 0) {
    return `${language.next}\n`;
  }
  if (out === undefined || out.startsWith('-') || more.length > 0) {
    throw new CommandError(`give one folder to write to: npm run client -- ${name} OUT-DIR`);
  }
  // npm runs scripts in the folder of their package, and says where it was called.
  const folder = resolve(cwd, out);
  if (existsSync(folder) && !isEmptyFolder(folder)) {
    throw new CommandError(`${folder} is not an empty folder: nothing was written`);
  }
  const { generator, version, next, toGenerate } = language;
  const absent = missing(toGenerate, path);
  if (absent.length > 0) {
    const are = `${absent.join(' and ')} ${absent.length > 1 ? 'are' : 'is'}`;
    const needed = toGenerate.join(' and ');
    throw new CommandError(`${are} missing: ${generator} needs ${needed} on the PATH`);
  }
  mkdirSync(folder, { recursive: true });
  await language.generate(folder, report);
  return `The ${name} client is in ${folder}, made by ${generator} ${version}.\n${next}\n`;
}

function isEmptyFolder(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).length === 0;
}
