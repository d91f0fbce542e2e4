import { join } from 'node:path';
import { cached } from '../../../tools/cache.ts';
import { clientFolder, contract, type Language } from '../language.ts';
import { run } from '../../../tools/shell.ts';

const VERSION = '2.8.0';

export const go: Language = {
  name: 'go',
  generator: 'oapi-codegen',
  version: VERSION,
  toGenerate: ['go'],
  toRun: ['go'],
  async generate(out) {
    const folder = await cached(`oapi-codegen-${VERSION}`, (to) =>
      run({
        command: 'go',
        args: ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${VERSION}`],
        env: { GOBIN: to },
      }),
    );
    await run({
      command: join(folder, 'oapi-codegen'),
      args: ['-config', join(clientFolder('go'), 'generator.yaml'), '-o', join(out, 'edge.gen.go'), contract],
    });
  },
  next: 'It is a package, edge: put it into your module, then `go mod tidy`.',
  build: (work) => [
    { command: 'go', args: ['vet', './...'], cwd: work },
    { command: 'go', args: ['build', '-o', 'example', '.'], cwd: work },
  ],
  example: (work) => ({ command: join(work, 'example'), args: [] }),
  sample: (work, name) => ({ command: 'go', args: ['run', `./samples/${name}`], cwd: work }),
};
