import { join } from 'node:path';
import { cacheFolder } from '../../../tools/cache.ts';
import { type Language } from '../language.ts';
import { openapiGenerator, VERSION } from '../openapi-generator.ts';

// Kept between runs: most of the time goes into dependencies that never change.
const target = () => cacheFolder('rust-target');

export const rust: Language = {
  name: 'rust',
  generator: 'openapi-generator (reqwest)',
  version: VERSION,
  toGenerate: ['java', 'mvn'],
  toRun: ['cargo'],
  generate: (out) => openapiGenerator('rust', out),
  next: 'It is a crate: `edge-client = { path = "..." }` in your Cargo.toml.',
  build: (work) => [
    // What the run before left there has another path, and would stay for ever.
    {
      command: 'cargo',
      args: ['clean', '--quiet', '-p', 'edge-client', '-p', 'edge-example'],
      cwd: work,
      env: { CARGO_TARGET_DIR: target() },
    },
    { command: 'cargo', args: ['build', '--quiet'], cwd: work, env: { CARGO_TARGET_DIR: target() } },
    // The samples: that they compile is enough, and linking each would take minutes.
    { command: 'cargo', args: ['check', '--quiet', '--examples'], cwd: work, env: { CARGO_TARGET_DIR: target() } },
  ],
  sample: (work, name) => ({
    command: 'cargo',
    args: ['run', '--quiet', '--example', name],
    cwd: work,
    env: { CARGO_TARGET_DIR: target() },
  }),
  example: () => ({ command: join(target(), 'debug', 'edge-example'), args: [] }),
};
