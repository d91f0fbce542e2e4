import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '2.21.1';
const TOKEN = 'sesame';

/** A server of notebooks and files, by its own API: without a kernel, which is another package. */
export const jupyter: RealService = {
  name: 'jupyter',
  title: `jupyter_server ${VERSION}`,
  needs: ['python3'],
  install: () => pythonEnvironment(`jupyter_server-${VERSION}`, `jupyter_server==${VERSION}`),
  async prepare({ data }) {
    const root = join(data, 'root');
    mkdirSync(join(root, 'kept-folder'), { recursive: true });
    writeFileSync(join(root, 'kept-folder', 'kept.txt'), 'kept');
    writeFileSync(join(root, 'kept.txt'), 'kept');
  },
  program: ({ installed, data, port }) => {
    const folders = `--ServerApp.root_dir=${join(data, 'root')}`;
    const flags = ['--no-browser', '--allow-root', '--ServerApp.ip=127.0.0.1', folders];
    return {
      command: join(installed, 'bin', 'jupyter-server'),
      args: ['--port', String(port), `--IdentityProvider.token=${TOKEN}`, ...flags],
      env: {
        HOME: data,
        JUPYTER_CONFIG_DIR: join(data, 'config'),
        JUPYTER_DATA_DIR: join(data, 'share'),
        JUPYTER_RUNTIME_DIR: join(data, 'runtime'),
      },
    };
  },
  readyPath: '/api/status',
  contract: { file: contractIn },
  credentials: { header: 'Authorization', value: `token ${TOKEN}`, hasScheme: false },
  async makeExisting() {
    return {
      'a file': '/api/contents/kept.txt',
      'a file in a folder': '/api/contents/kept-folder/kept.txt',
    };
  },
};

/** The name of the folder has the version of Python. */
function contractIn(installed: string): string {
  const libraries = join(installed, 'lib');
  const [python = ''] = readdirSync(libraries);
  return join(libraries, python, 'site-packages/jupyter_server/services/api/api.yaml');
}
