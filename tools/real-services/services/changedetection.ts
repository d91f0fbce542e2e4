import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '0.60.10';
const KEY = 'sesame';
const CONTRACT = 'changedetectionio/docs/api-spec.yaml';

/** Watches of web pages, which it reads by itself: Flask. */
export const changedetection: RealService = {
  name: 'changedetection',
  title: `changedetection.io ${VERSION}`,
  needs: ['python3'],
  install: () =>
    pythonEnvironment(`changedetection.io-${VERSION}`, `changedetection.io==${VERSION}`),
  async prepare({ data }) {
    const settings = { application: { api_access_token: KEY } };
    mkdirSync(join(data, 'store'));
    writeFileSync(join(data, 'store', 'changedetection.json'), JSON.stringify({ settings }));
  },
  program: ({ installed, data, port }) => ({
    command: join(installed, 'bin', 'changedetection.io'),
    args: ['-h', '127.0.0.1', '-p', String(port), '-d', join(data, 'store')],
  }),
  readyPath: '/api/v1/watch',
  contract: { file: (installed) => join(installed, 'lib', pythonIn(installed), CONTRACT) },
  credentials: { header: 'x-api-key', value: KEY, hasScheme: true },
  async makeExisting(send) {
    const watches = '/api/v1/watch';
    const watch = { url: 'http://127.0.0.1:9/kept', title: 'kept', paused: true };
    const { uuid } = (await send('POST', watches, watch)) as { uuid: string };
    const tag = (await send('POST', '/api/v1/tag', { title: 'kept' })) as { uuid: string };
    return {
      'a watch': `${watches}/${uuid}`,
      'a tag': `/api/v1/tag/${tag.uuid}`,
      notifications: '/api/v1/notifications',
    };
  },
};

/** The folder of its packages has the version of Python: `python3.11/site-packages`. */
function pythonIn(installed: string): string {
  const [python = ''] = readdirSync(join(installed, 'lib'));
  return join(python, 'site-packages');
}
