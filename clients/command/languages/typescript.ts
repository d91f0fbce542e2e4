import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../tools/shell.ts';
import { clientFolder, type Language, packageFolder } from '../language.ts';

const { name, version, dependencies } = JSON.parse(
  readFileSync(join(clientFolder('typescript'), 'package.json'), 'utf8'),
) as { name: string; version: string; dependencies: Record<string, string> };

/** Not generated: it is a package of its own, which is packed and installed here as its users install it. */
export const typescript: Language = {
  name: 'typescript',
  generator: 'openapi-fetch',
  version: dependencies['openapi-fetch']!,
  toGenerate: [],
  toRun: ['node', 'npm'],
  async generate(out) {
    writeFileSync(join(out, 'package.json'), '{"private":true,"type":"module"}');
    copyFileSync(join(clientFolder('typescript'), 'example.ts'), join(out, 'example.ts'));
    await run({
      command: 'npm',
      args: ['pack', '--silent', '--workspace', name, '--pack-destination', out],
      cwd: packageFolder,
    });
    const tarball = `./${name.slice(1).replace('/', '-')}-${version}.tgz`;
    const options = ['--silent', '--prefer-offline', '--no-audit', '--no-fund'];
    await run({ command: 'npm', args: ['install', ...options, tarball], cwd: out });
  },
  next: `Nothing is generated: \`npm install ${name}\`, then import it.`,
  build: (work) => [
    {
      command: process.execPath,
      args: [
        join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc'),
        ...['--strict', '--module', 'NodeNext', '--target', 'ES2023'],
        ...['--typeRoots', join(packageFolder, 'node_modules', '@types'), '--types', 'node'],
        'example.ts',
      ],
      cwd: join(work, 'client'),
    },
  ],
  example: (work) => ({ command: process.execPath, args: [join(work, 'client', 'example.js')] }),
};
