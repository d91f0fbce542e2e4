import { join } from 'node:path';
import { pythonEnvironment } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '0.2.20';
const KEY = 'secret';

/** Tables and arrays of scientists, with any depth of folders in one path parameter: FastAPI. */
export const tiled: RealService = {
  name: 'tiled',
  title: `tiled ${VERSION}`,
  needs: ['python3'],
  install: () => pythonEnvironment(`tiled-${VERSION}`, `tiled[server]==${VERSION}`),
  program: ({ installed, port }) => ({
    command: join(installed, 'bin', 'tiled'),
    args: ['serve', 'catalog', '--temp', '--api-key', KEY, '--port', String(port)],
  }),
  readyPath: '/api/v1/',
  contract: { path: '/openapi.json' },
  credentials: { header: 'Authorization', value: `Apikey ${KEY}`, hasScheme: false },
  async makeExisting(send) {
    await send('POST', '/api/v1/metadata/', {
      id: 'kept',
      structure_family: 'container',
      metadata: { color: 'red' },
      data_sources: [],
      specs: [],
    });
    return { 'a container': '/api/v1/metadata/kept' };
  },
};
